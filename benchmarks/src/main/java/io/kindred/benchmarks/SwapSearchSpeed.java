package io.kindred.benchmarks;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.hfl.formation.ClientAssignment;
import io.kindred.methods.hfl.formation.FormationInput;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSearch;
import io.kindred.methods.hfl.formation.SwapSettings;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * The cost of a trial of the swap search when clients and features grow: processor time of the one
 * thread that searches, so that a busy machine does not matter much.
 *
 * <p>Usage: {@code ./benchmarks/run SwapSearchSpeed [CLIENTS...]}
 */
public final class SwapSearchSpeed {
  private static final int CLUSTERS = 4;
  private static final int[] DEFAULT_CLIENTS = {100, 1000, 5000};
  private static final int[] FEATURES = {100, 1000};

  private SwapSearchSpeed() {}

  public static void main(String[] arguments) {
    int[] counts = DEFAULT_CLIENTS;
    if (arguments.length > 0) {
      counts = new int[arguments.length];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = Integer.parseInt(arguments[i]);
      }
    }
    System.out.println("processor seconds; " + CLUSTERS + " clusters, solution 1.1");
    for (int clients : counts) {
      for (int size : FEATURES) {
        measure(clients, size);
      }
    }
  }

  private static void measure(int clients, int size) {
    RandomStream random =
        new RandomStreams(1).stream(new Purpose("swap-search-speed"), clients, size);
    FormationInput input = situation(clients, size, random);
    FormationSettings rule =
        new FormationSettings(
            CLUSTERS,
            3,
            0,
            FormationSettings.Algorithm.SWAP,
            new SwapSettings(
                SwapCriteria.Solution.PAIR,
                0,
                80,
                SwapSettings.Choice.RANDOM,
                SwapSettings.Start.RANDOM,
                1),
            new SpectralSettings(1, 1, 1, 0));
    int[] assignment = new int[clients];
    for (int i = 0; i < clients; i++) {
      assignment[i] = i % CLUSTERS;
    }
    double start = seconds();
    SwapSearch search =
        SwapSearch.of(input, new ClientAssignment(assignment, CLUSTERS), rule, random);
    double ready = seconds();
    search.run(Math.max(3, 3000 / clients));
    double warm = seconds();
    int trials = Math.max(5, 30_000 / clients);
    search.run(trials);
    double each = (seconds() - warm) / trials;
    long candidates = (long) clients * clients / (CLUSTERS * CLUSTERS);
    System.out.printf(
        Locale.ROOT,
        "%5d clients, feature of %5d: products %7.3f s once, trial %9.3f ms, candidate %6.1f ns%n",
        clients,
        size,
        ready - start,
        each * 1e3,
        each * 1e9 / candidates);
  }

  private static double seconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  private static FormationInput situation(int clients, int size, RandomStream random) {
    double[] shares = new double[clients];
    double[] computing = new double[clients];
    float[][] sending = new float[clients][clients];
    float[][] features = new float[clients][size];
    for (int i = 0; i < clients; i++) {
      shares[i] = 1 + random.nextInt(50);
      computing[i] = random.uniform(5, 30);
      for (int j = 0; j < i; j++) {
        sending[i][j] = (float) (10 / random.uniform(1, 5));
        sending[j][i] = sending[i][j];
      }
      for (int k = 0; k < size; k++) {
        features[i][k] = (float) random.nextGaussian();
      }
    }
    return new FormationInput(shares, computing, sending, features, false);
  }
}
