package io.kindred.environment.radio;

import io.kindred.core.random.RandomStream;
import io.kindred.environment.radio.PeerPositions.Position;

/**
 * A standard normal value for any two positions, the same in both directions. When one end moves,
 * the correlation falls exponentially with the distance (Gudmundson, 1991). A sum of plane waves
 * over both ends, so that it needs no grid and every position has its value.
 */
final class CorrelatedField {
  private static final int WAVES = 200;

  private final double[][] waves = new double[WAVES][];
  private final double metres;

  /**
   * @param metres distance over which the correlation falls to 1/e
   */
  CorrelatedField(double metres, RandomStream random) {
    this.metres = metres;
    for (int i = 0; i < WAVES; i++) {
      // The wave numbers of a decay exp(-r / metres) in the plane have a Cauchy distribution.
      double scaleA = metres * Math.abs(random.nextGaussian());
      double scaleB = metres * Math.abs(random.nextGaussian());
      waves[i] =
          new double[] {
            random.nextGaussian() / scaleA,
            random.nextGaussian() / scaleA,
            random.nextGaussian() / scaleB,
            random.nextGaussian() / scaleB,
            random.uniform(0, 2 * Math.PI)
          };
    }
  }

  double between(Position a, Position b) {
    double sum = 0;
    for (double[] wave : waves) {
      sum += wave(wave, a, b) + wave(wave, b, a);
    }
    // The two directions of a short link are correlated themselves.
    double both = StrictMath.exp(-2 * a.distanceMetresTo(b) / metres);
    return sum / Math.sqrt(WAVES * (1 + both));
  }

  private static double wave(double[] wave, Position a, Position b) {
    return StrictMath.cos(
        wave[0] * a.x() + wave[1] * a.y() + wave[2] * b.x() + wave[3] * b.y() + wave[4]);
  }
}
