package io.kindred.methods.hierarchy.forming;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;

/** Random clients and networks for tests. */
final class Situations {
  private Situations() {}

  static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.LINKS, 0, 0);
  }

  /** Links are down with the given probability, the same both ways. */
  static Situation drawn(int clients, int size, double down, boolean labels, long seed) {
    RandomStream random = random(seed);
    double[] shares = new double[clients];
    double[] computing = new double[clients];
    float[][] sending = new float[clients][clients];
    float[][] features = new float[clients][size];
    for (int i = 0; i < clients; i++) {
      shares[i] = 1 + random.nextInt(50);
      computing[i] = random.uniform(5, 30);
      for (int j = 0; j < i; j++) {
        boolean gone = random.nextDouble() < down;
        sending[i][j] = gone ? Float.POSITIVE_INFINITY : (float) (10 / random.uniform(1, 5));
        sending[j][i] = sending[i][j];
      }
      for (int k = 0; k < size; k++) {
        features[i][k] = labels ? random.nextInt(20) : (float) random.nextGaussian();
      }
    }
    return new Situation(shares, computing, sending, features, labels);
  }

  static Grouping rule(int count, int least, int most, Criteria.Solution solution, int trials) {
    return new Grouping(
        count,
        least,
        most,
        Grouping.Way.SWAP,
        new SwapRule(solution, 0, trials, SwapRule.Choice.RANDOM, SwapRule.Start.RANDOM),
        new SpectralRule(1.5, 1.5, 1, 0));
  }

  static Grouping way(Grouping rule, Grouping.Way way) {
    return new Grouping(rule.count(), rule.least(), rule.most(), way, rule.swap(), rule.spectral());
  }
}
