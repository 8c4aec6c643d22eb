package io.kindred.environment.radio;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** The position of every peer. */
public record PeerPositions(List<Position> positions) {
  /** A larger number of peers is no neighbourhood any more, and every pair of them interferes. */
  private static final double MAX_EXPECTED = 100_000;

  /** A position in the area, in metres from its lower left corner. */
  public record Position(double x, double y) {
    public double distanceMetresTo(Position other) {
      return Math.hypot(x - other.x, y - other.y);
    }
  }

  public PeerPositions {
    positions = List.copyOf(positions);
  }

  /**
   * This number of peers, each anywhere in a square: a Poisson process of which only the number of
   * points is known.
   */
  public static PeerPositions uniform(int count, double sideMetres, RandomStream random) {
    List<Position> positions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      positions.add(new Position(random.uniform(0, sideMetres), random.uniform(0, sideMetres)));
    }
    return new PeerPositions(positions);
  }

  /** A Poisson point process in a square: the number of peers is drawn too. */
  public static PeerPositions poisson(
      double perSquareMetre, double sideMetres, RandomStream random) {
    double expected = perSquareMetre * sideMetres * sideMetres;
    if (!(expected >= 0 && expected <= MAX_EXPECTED)) {
      throw new SettingException(
          "density",
          perSquareMetre + " peers a square metre make " + expected + " peers in the area",
          "choose a density from 0 to " + MAX_EXPECTED / (sideMetres * sideMetres));
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
    return positions.size();
  }

  public double distanceMetres(int a, int b) {
    return positions.get(a).distanceMetresTo(positions.get(b));
  }
}
