package io.kindred.environment.topology;

import io.kindred.core.config.SettingException;

/** Checks of the degree that an experiment asks for. A single peer has no neighbours. */
final class DegreeLimits {
  static final String KEY = "topology.degree";

  private static final double DEFAULT_MEAN = 5;

  private DegreeLimits() {}

  /** The requested mean degree; 0 requests the default, or all peers where there are fewer. */
  static double resolveMean(double degree, int peers) {
    if (peers > 1 && degree > peers - 1) {
      throw degreeTooHigh("a mean degree of " + degree, peers, "choose at most " + (peers - 1));
    }
    return degree == 0 ? Math.min(DEFAULT_MEAN, peers - 1) : degree;
  }

  /** A stated degree excludes the other setting that would determine it. */
  static void requireOneOf(double degree, String otherName, double other) {
    if (degree > 0 && other > 0) {
      throw new SettingException(
          "degree",
          "a degree of " + degree + " and a " + otherName + " of " + other + " exclude each other",
          "set one of them to 0");
    }
  }

  /** Checks a degree that every peer has exactly. */
  static void requireExact(int degree, int peers) {
    if (peers > 1 && degree > peers - 1) {
      throw degreeTooHigh("a degree of " + degree, peers, "choose at most " + (peers - 1));
    }
  }

  /** Checks a degree that must be even, as half of the neighbours lie on each side. */
  static void requireEven(int degree, int least, int peers) {
    if (peers == 1) {
      return;
    }
    int most = (peers - 1) / 2 * 2;
    if (degree > most) {
      throw degreeTooHigh(
          "a degree of " + degree,
          peers,
          most >= least
              ? "choose an even number of at most " + most
              : "use topology complete for this few peers");
    }
    if (degree % 2 != 0) {
      throw new SettingException(
          KEY, "the degree must be even, but is " + degree, "choose " + (degree - 1));
    }
  }

  private static SettingException degreeTooHigh(String what, int peers, String remedy) {
    return new SettingException(KEY, what + " is impossible with " + peers + " peers", remedy);
  }
}
