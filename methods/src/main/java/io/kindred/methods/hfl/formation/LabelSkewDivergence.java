package io.kindred.methods.hfl.formation;

/**
 * How much a cluster's distribution of labels differs from the common one: the sum over labels of
 * the absolute difference between both probabilities (section 5.4.3).
 */
final class LabelSkewDivergence implements Divergence {
  private final float[][] counts;
  private final double[][] clusterCounts;
  private final double[] clusterTotals;
  private final double[] clientTotals;
  private final double[] globalDistribution;

  LabelSkewDivergence(FormationInput input, ClientAssignment assignment) {
    counts = input.features();
    int labels = counts.length == 0 ? 0 : counts[0].length;
    clusterCounts = new double[assignment.clusters()][labels];
    clusterTotals = new double[assignment.clusters()];
    clientTotals = new double[counts.length];
    globalDistribution = new double[labels];
    double all = 0;
    for (int client = 0; client < counts.length; client++) {
      for (int label = 0; label < labels; label++) {
        double count = counts[client][label];
        clientTotals[client] += count;
        clusterCounts[assignment.clusterOf(client)][label] += count;
        globalDistribution[label] += count;
      }
      clusterTotals[assignment.clusterOf(client)] += clientTotals[client];
      all += clientTotals[client];
    }
    for (int label = 0; label < labels; label++) {
      globalDistribution[label] /= Math.max(all, Double.MIN_NORMAL);
    }
  }

  @Override
  public double of(int cluster) {
    return afterChange(cluster, NO_CLIENT, NO_CLIENT);
  }

  @Override
  public double afterChange(int cluster, int leaving, int joining) {
    double total =
        clusterTotals[cluster]
            - (leaving == NO_CLIENT ? 0 : clientTotals[leaving])
            + (joining == NO_CLIENT ? 0 : clientTotals[joining]);
    double skew = 0;
    for (int label = 0; label < globalDistribution.length; label++) {
      double count = clusterCounts[cluster][label] + difference(label, leaving, joining);
      skew += Math.abs((total > 0 ? count / total : 0) - globalDistribution[label]);
    }
    return skew;
  }

  private double difference(int label, int leaving, int joining) {
    return (joining == NO_CLIENT ? 0 : counts[joining][label])
        - (leaving == NO_CLIENT ? 0 : counts[leaving][label]);
  }

  @Override
  public void applyChange(int cluster, int leaving, int joining) {
    for (int label = 0; label < globalDistribution.length; label++) {
      clusterCounts[cluster][label] += difference(label, leaving, joining);
    }
    clusterTotals[cluster] +=
        (joining == NO_CLIENT ? 0 : clientTotals[joining])
            - (leaving == NO_CLIENT ? 0 : clientTotals[leaving]);
  }
}
