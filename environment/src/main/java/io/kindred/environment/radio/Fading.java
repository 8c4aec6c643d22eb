package io.kindred.environment.radio;

/**
 * The law of a sender's fading power g = |h|^2 on the sub-channel that it uses, as far as it
 * transmits at all, which it does from a least power on. Powers of Rayleigh amplitudes are
 * exponential, so everything here is in powers: the amplitude threshold beta is the power beta^2.
 */
sealed interface Fading {
  /** Beyond so many means above the bulk nothing is left that a double could hold. */
  double TAIL_IN_MEANS = 40;

  /** Mean power of one sub-channel, the paper's Gamma. */
  double mean();

  /** The least power that is transmitted with. */
  double minPower();

  /** Density of the power, defined from {@link #minPower} on; integrates to {@link #mass}. */
  double density(double power);

  /** How much of the law lies from the least power up to this one. */
  double massUpTo(double power);

  /** All of the law from the least power on. */
  double mass();

  /** Integral of power^k over the law: moments that count silence as zero. */
  double moment(int k);

  /** A power above which there is nothing. */
  double maxPower();

  /**
   * One sub-channel by itself, as the printed formulas have it: the tail of an exponential law,
   * whatever the other sub-channels are like.
   */
  record Tail(double mean, double minPower) implements Fading {
    @Override
    public double density(double power) {
      return StrictMath.exp(-power / mean) / mean;
    }

    @Override
    public double massUpTo(double power) {
      return power <= minPower ? 0 : mass() - StrictMath.exp(-power / mean);
    }

    @Override
    public double mass() {
      return StrictMath.exp(-minPower / mean);
    }

    @Override
    public double moment(int k) {
      // Integration by parts: M(k) = least^k exp(-least / mean) + k mean M(k - 1).
      return k == 0 ? mass() : Math.pow(minPower, k) * mass() + k * mean * moment(k - 1);
    }

    @Override
    public double maxPower() {
      return minPower + TAIL_IN_MEANS * mean;
    }
  }

  /** The best of several sub-channels, which is what a sender uses: an order statistic. */
  record BestOf(int subChannels, double mean, double minPower) implements Fading {
    @Override
    public double density(double power) {
      double tail = StrictMath.exp(-power / mean);
      return subChannels / mean * tail * StrictMath.pow(1 - tail, subChannels - 1);
    }

    private double probabilityBelow(double power) {
      return StrictMath.pow(-StrictMath.expm1(-power / mean), subChannels);
    }

    @Override
    public double massUpTo(double power) {
      return power <= minPower ? 0 : probabilityBelow(power) - probabilityBelow(minPower);
    }

    @Override
    public double mass() {
      return 1 - probabilityBelow(minPower);
    }

    @Override
    public double moment(int k) {
      return k == 0
          ? mass()
          : Quadrature.integrate(
              power -> Math.pow(power, k) * density(power), minPower, maxPower());
    }

    @Override
    public double maxPower() {
      return Math.max(minPower, mean * StrictMath.log(subChannels)) + TAIL_IN_MEANS * mean;
    }
  }
}
