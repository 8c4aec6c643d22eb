package io.kindred.world;

import io.kindred.core.settings.Complaint;

/** What can be asked of a degree, and what to say about the rest. A lone peer has no neighbours. */
final class Degree {
  static final String KEY = "topology.degree";

  private static final double USUAL = 5;

  private Degree() {}

  /** The degree that is asked for; 0 asks for the usual one, or all where peers are fewer. */
  static double mean(double degree, int peers) {
    if (peers > 1 && degree > peers - 1) {
      throw tooHigh("a mean degree of " + degree, peers, "choose at most " + (peers - 1));
    }
    return degree == 0 ? Math.min(USUAL, peers - 1) : degree;
  }

  /** Who states a degree does not state what else would decide it. */
  static void requireOneOf(double degree, String otherName, double other) {
    if (degree > 0 && other > 0) {
      throw new Complaint(
          "degree",
          "a degree of " + degree + " and a " + otherName + " of " + other + " exclude each other",
          "set one of them to 0");
    }
  }

  /** Whole neighbourhoods of one size. */
  static void requireExact(int degree, int peers) {
    if (peers > 1 && degree > peers - 1) {
      throw tooHigh("a degree of " + degree, peers, "choose at most " + (peers - 1));
    }
  }

  /** An even degree, as half of the neighbours lie each way. */
  static void requireEven(int degree, int least, int peers) {
    if (peers == 1) {
      return;
    }
    int most = (peers - 1) / 2 * 2;
    if (degree > most) {
      throw tooHigh(
          "a degree of " + degree,
          peers,
          most >= least
              ? "choose an even number of at most " + most
              : "use topology complete for so few peers");
    }
    if (degree % 2 != 0) {
      throw new Complaint(
          KEY, "the degree must be even, but is " + degree, "choose " + (degree - 1));
    }
  }

  private static Complaint tooHigh(String what, int peers, String remedy) {
    return new Complaint(KEY, what + " cannot be had with " + peers + " peers", remedy);
  }
}
