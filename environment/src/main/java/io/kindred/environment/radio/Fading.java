package io.kindred.environment.radio;

/**
 * The distribution of a sender's fading power g = |h|^2 on the sub-channel that it uses, from the
 * least power at which it transmits. Everything here is in powers: the amplitude threshold beta is
 * the power beta^2.
 */
sealed interface Fading {
  /** The least fading power at which a sender transmits. */
  double minPower();

  /** Density of the power, defined from {@link #minPower} on; integrates to {@link #mass}. */
  double density(double power);

  /** The mass of the distribution from the least power up to this one. */
  double massUpTo(double power);

  /** The mass of the distribution from the least power on. */
  double mass();

  /** Integral of power^k over the distribution: moments that count silence as zero. */
  default double moment(int k) {
    return k == 0
        ? mass()
        : Quadrature.integrate(
            power -> Math.pow(power, k) * density(power), minPower(), maxPower());
  }

  /** A power above which the distribution has no mass. */
  double maxPower();

  /**
   * One sub-channel by itself, as in the printed formulas: the tail of the distribution,
   * independent of the other sub-channels.
   */
  record Tail(FadingLaw law, double minPower) implements Fading {
    @Override
    public double density(double power) {
      return law.density(power);
    }

    @Override
    public double massUpTo(double power) {
      return power <= minPower ? 0 : law.below(power) - law.below(minPower);
    }

    @Override
    public double mass() {
      return 1 - law.below(minPower);
    }

    @Override
    public double maxPower() {
      return law.maxPower(1, minPower);
    }
  }

  /** The best of several sub-channels, which is what a sender uses: an order statistic. */
  record BestOf(int subChannels, FadingLaw law, double minPower) implements Fading {
    @Override
    public double density(double power) {
      return subChannels * law.density(power) * StrictMath.pow(law.below(power), subChannels - 1);
    }

    private double probabilityBelow(double power) {
      return StrictMath.pow(law.below(power), subChannels);
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
    public double maxPower() {
      return law.maxPower(subChannels, minPower);
    }
  }
}
