package io.kindred.methods.hfl.formation;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;

/** Random clients and networks for tests. */
final class FormationInputs {
  private FormationInputs() {}

  static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.LINKS, 0, 0);
  }

  /** Links are down with the given probability, the same in both directions. */
  static FormationInput randomInput(int clients, int size, double down, boolean labels, long seed) {
    RandomStream random = random(seed);
    double[] shares = new double[clients];
    double[] computing = new double[clients];
    float[][] sending = new float[clients][clients];
    float[][] features = new float[clients][size];
    for (int i = 0; i < clients; i++) {
      shares[i] = 1 + random.nextInt(50);
      computing[i] = random.uniform(5, 30);
      for (int j = 0; j < i; j++) {
        boolean isDown = random.nextDouble() < down;
        sending[i][j] = isDown ? Float.POSITIVE_INFINITY : (float) (10 / random.uniform(1, 5));
        sending[j][i] = sending[i][j];
      }
      for (int k = 0; k < size; k++) {
        features[i][k] = labels ? random.nextInt(20) : (float) random.nextGaussian();
      }
    }
    return new FormationInput(shares, computing, sending, features, labels);
  }

  static FormationSettings settings(
      int count, int least, int most, SwapCriteria.Solution solution, int trials) {
    return new FormationSettings(
        count,
        least,
        most,
        FormationSettings.Algorithm.SWAP,
        new SwapSettings(
            solution, 0, trials, SwapSettings.Choice.RANDOM, SwapSettings.Start.RANDOM, 1),
        new SpectralSettings(1.5, 1.5, 1, 0));
  }

  static FormationSettings withAlgorithm(
      FormationSettings rule, FormationSettings.Algorithm algorithm) {
    return FormationSettingsBuilder.from(rule).way(algorithm).build();
  }

  static FormationSettings withRestarts(FormationSettings rule, int restarts) {
    SwapSettings swap = rule.swap();
    return new FormationSettings(
        rule.count(),
        rule.least(),
        rule.most(),
        rule.way(),
        new SwapSettings(
            swap.solution(), swap.z(), swap.trials(), swap.choose(), swap.start(), restarts),
        rule.spectral());
  }
}
