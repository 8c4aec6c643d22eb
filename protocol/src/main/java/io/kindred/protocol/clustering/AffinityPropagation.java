package io.kindred.protocol.clustering;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Optional;

/**
 * Clusters of members around exemplars among them, as many as the similarities suggest (Frey and
 * Dueck, Science 315, 2007). Similarities are row by row; the diagonal is ignored. The preference,
 * the similarity of each member to itself, is the median of the others unless given.
 *
 * <p>Every input has a result. One member is one cluster. Where all similarities are equal, members
 * cannot be distinguished: one cluster around the first, or one each where the preference is
 * greater. Iterations that do not converge still give their last exemplars; where there are none,
 * one cluster around the member most similar to all. Ties go to the lower index: similarities to
 * exemplars further down are reduced by up to a billionth of their range. That is below the
 * resolution of cosines of floats, but it stops members with equal claims from giving way to each
 * other for ever.
 */
@Named("overlay/affinity-propagation")
public record AffinityPropagation(
    int size, Floats similarities, Optional<Double> preference, AffinityRule rule)
    implements PureFunction {
  /** Additions and comparisons per pair and iteration. */
  private static final long OPERATIONS_PER_PAIR = 12;

  private static final double TIE_BREAK = 1e-9;

  public AffinityPropagation {
    if (size < 0 || similarities.size() != (long) size * size) {
      throw new IllegalArgumentException(
          similarities.size() + " similarities between " + size + " members");
    }
    for (float similarity : similarities.shared()) {
      if (!Float.isFinite(similarity)) {
        throw new IllegalArgumentException("a similarity must be a number, got " + similarity);
      }
    }
  }

  @Override
  public ExemplarClustering apply() {
    if (size == 0) {
      return new ExemplarClustering(Ints.of(), Ints.of(), true, 0);
    }
    double[] others = offDiagonal();
    double least = others.length == 0 ? 0 : others[0];
    double most = others.length == 0 ? 0 : others[others.length - 1];
    double wanted = preference.orElseGet(() -> median(others));
    if (least == most) {
      return size == 1 || wanted <= least ? singleCluster(0, true, 0) : singletonClusters();
    }
    return propagate(wanted, TIE_BREAK * (most - least));
  }

  @Override
  public long operations() {
    return operations(size, rule);
  }

  static long operations(long size, AffinityRule rule) {
    return OPERATIONS_PER_PAIR * size * size * rule.iterations();
  }

  private double[] offDiagonal() {
    double[] others = new double[size * (size - 1)];
    int next = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        if (i != j) {
          others[next++] = similarities.get(i * size + j);
        }
      }
    }
    Arrays.sort(others);
    return others;
  }

  private static double median(double[] sorted) {
    int half = sorted.length / 2;
    if (sorted.length == 0) {
      return 0;
    }
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private ExemplarClustering singleCluster(int exemplar, boolean converged, int iterations) {
    return new ExemplarClustering(
        Ints.of(exemplar), Ints.wrap(new int[size]), converged, iterations);
  }

  private ExemplarClustering singletonClusters() {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    return new ExemplarClustering(Ints.wrap(all), Ints.of(all), true, 0);
  }

  private ExemplarClustering propagate(double wanted, double tie) {
    double[] adjusted = new double[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        int index = i * size + j;
        double similarity = i == j ? wanted : similarities.get(index);
        adjusted[index] = similarity - tie * j / size;
      }
    }
    AffinityMessages messages = new AffinityMessages(size, adjusted, rule.damping());
    int steady = 0;
    int iteration = 0;
    boolean converged = false;
    while (iteration < rule.iterations() && !converged) {
      steady = messages.iterate() ? 1 : steady + 1;
      // The first check comes one iteration later than necessary, as in other implementations.
      converged =
          iteration >= rule.convergenceIterations()
              && steady >= rule.convergenceIterations()
              && messages.exemplars().length > 0;
      iteration++;
    }
    int[] exemplars = messages.exemplars();
    return exemplars.length == 0
        ? singleCluster(mostCentral(adjusted), false, iteration)
        : new ExemplarAssignment(size, adjusted).clusterAround(exemplars, converged, iteration);
  }

  private int mostCentral(double[] adjusted) {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    return new ExemplarAssignment(size, adjusted).medoid(all);
  }
}
