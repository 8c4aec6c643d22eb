package io.kindred.methods.hierarchy.forming;

/**
 * How much a cluster's distribution of labels differs from the common one: the sum over labels of
 * the difference between both probabilities (section 5.4.3).
 */
final class Skews implements Divergence {
  private final float[][] counts;
  private final double[][] ofCluster;
  private final double[] totals;
  private final double[] clientTotals;
  private final double[] common;

  Skews(Situation situation, Clustering clustering) {
    counts = situation.features();
    int labels = counts.length == 0 ? 0 : counts[0].length;
    ofCluster = new double[clustering.clusters()][labels];
    totals = new double[clustering.clusters()];
    clientTotals = new double[counts.length];
    common = new double[labels];
    double all = 0;
    for (int client = 0; client < counts.length; client++) {
      for (int label = 0; label < labels; label++) {
        double count = counts[client][label];
        clientTotals[client] += count;
        ofCluster[clustering.of(client)][label] += count;
        common[label] += count;
      }
      totals[clustering.of(client)] += clientTotals[client];
      all += clientTotals[client];
    }
    for (int label = 0; label < labels; label++) {
      common[label] /= Math.max(all, Double.MIN_NORMAL);
    }
  }

  @Override
  public double of(int cluster) {
    return after(cluster, NOBODY, NOBODY);
  }

  @Override
  public double after(int cluster, int leaving, int joining) {
    double total =
        totals[cluster]
            - (leaving == NOBODY ? 0 : clientTotals[leaving])
            + (joining == NOBODY ? 0 : clientTotals[joining]);
    double skew = 0;
    for (int label = 0; label < common.length; label++) {
      double count = ofCluster[cluster][label] + difference(label, leaving, joining);
      skew += Math.abs((total > 0 ? count / total : 0) - common[label]);
    }
    return skew;
  }

  private double difference(int label, int leaving, int joining) {
    return (joining == NOBODY ? 0 : counts[joining][label])
        - (leaving == NOBODY ? 0 : counts[leaving][label]);
  }

  @Override
  public void change(int cluster, int leaving, int joining) {
    for (int label = 0; label < common.length; label++) {
      ofCluster[cluster][label] += difference(label, leaving, joining);
    }
    totals[cluster] +=
        (joining == NOBODY ? 0 : clientTotals[joining])
            - (leaving == NOBODY ? 0 : clientTotals[leaving]);
  }
}
