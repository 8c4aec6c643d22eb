package io.kindred.world.radio;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import java.util.ArrayList;
import java.util.List;

/** Where everybody is. */
public record Placement(List<Spot> spots) {
  /** More than this is no neighbourhood any more, and every pair of them interferes. */
  private static final double MOST_EXPECTED = 100_000;

  /** A place in the area, in metres from its lower left corner. */
  public record Spot(double x, double y) {
    public double metresTo(Spot other) {
      return Math.hypot(x - other.x, y - other.y);
    }
  }

  public Placement {
    spots = List.copyOf(spots);
  }

  /**
   * So many, each anywhere in a square: a Poisson process of which only the number of points is
   * known.
   */
  public static Placement uniform(int count, double sideMetres, RandomStream random) {
    List<Spot> spots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spots.add(new Spot(random.uniform(0, sideMetres), random.uniform(0, sideMetres)));
    }
    return new Placement(spots);
  }

  /** A Poisson point process in a square: how many there are is drawn too. */
  public static Placement poisson(double perSquareMetre, double sideMetres, RandomStream random) {
    double expected = perSquareMetre * sideMetres * sideMetres;
    if (!(expected >= 0 && expected <= MOST_EXPECTED)) {
      throw new Complaint(
          "density",
          perSquareMetre + " a square metre means " + expected + " peers in the area",
          "choose a density from 0 to " + MOST_EXPECTED / (sideMetres * sideMetres));
    }
    // The points of a process of rate one on a line, counted up to the expected number.
    int count = 0;
    double at = -StrictMath.log(1 - random.nextDouble());
    while (at < expected) {
      count++;
      at -= StrictMath.log(1 - random.nextDouble());
    }
    return uniform(count, sideMetres, random);
  }

  public int size() {
    return spots.size();
  }

  public double metres(int a, int b) {
    return spots.get(a).metresTo(spots.get(b));
  }
}
