package io.kindred.environment.radio;

/**
 * The distribution of a sender's fading power g = |h|^2 on the sub-channel that it uses, from the
 * least power at which it transmits. Powers of Rayleigh amplitudes are exponential, so everything
 * here is in powers: the amplitude threshold beta is the power beta^2.
 */
sealed interface Fading {
  /** So many means above the bulk, the remaining mass is too small for a double. */
  double TAIL_IN_MEANS = 40;

  /** The least fading power at which a sender transmits. */
  double minPower();

  /** Density of the power, defined from {@link #minPower} on; integrates to {@link #mass}. */
  double density(double power);

  /** The mass of the distribution from the least power up to this one. */
  double massUpTo(double power);

  /** The mass of the distribution from the least power on. */
  double mass();

  /** Integral of power^k over the distribution: moments that count silence as zero. */
  double moment(int k);

  /** A power above which the distribution has no mass. */
  double maxPower();

  /**
   * One sub-channel by itself, as in the printed formulas: the tail of an exponential distribution,
   * independent of the other sub-channels.
   *
   * @param mean power of one sub-channel, the paper's Gamma
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
      // Integration by parts: M(k) = minPower^k exp(-minPower / mean) + k mean M(k - 1).
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
