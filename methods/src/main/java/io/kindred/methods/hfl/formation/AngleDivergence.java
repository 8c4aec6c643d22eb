package io.kindred.methods.hfl.formation;

/**
 * The angle between a cluster's direction and the common one (equation 3), both sums of the
 * clients' directions weighted by their shares. With v the weighted direction of a client, s the
 * sum of a cluster and g that of all, s·g and |s|² follow from inner products of clients alone: a
 * candidate costs a handful of additions.
 */
final class AngleDivergence implements Divergence {
  private final double[] shares;
  private final GramMatrix gramMatrix;
  // s·g and |s|² of each cluster, v·g of each client, v·s of each client and cluster.
  private final double[] globalProducts;
  private final double[] squaredNorms;
  private final double[] clientGlobalProducts;
  private final double[][] clientClusterProducts;
  private final double globalNorm;

  AngleDivergence(FormationInput input, GramMatrix gramMatrix, ClientAssignment assignment) {
    this.gramMatrix = gramMatrix;
    shares = input.shares();
    int clients = assignment.clients();
    globalProducts = new double[assignment.clusters()];
    squaredNorms = new double[assignment.clusters()];
    clientGlobalProducts = new double[clients];
    clientClusterProducts = new double[clients][assignment.clusters()];
    double whole = 0;
    for (int i = 0; i < clients; i++) {
      for (int j = 0; j < clients; j++) {
        clientClusterProducts[i][assignment.clusterOf(j)] += product(i, j);
      }
      for (double part : clientClusterProducts[i]) {
        clientGlobalProducts[i] += part;
      }
      globalProducts[assignment.clusterOf(i)] += clientGlobalProducts[i];
      squaredNorms[assignment.clusterOf(i)] += clientClusterProducts[i][assignment.clusterOf(i)];
      whole += clientGlobalProducts[i];
    }
    globalNorm = Math.sqrt(Math.max(0, whole));
  }

  private double product(int i, int j) {
    return shares[i] * shares[j] * gramMatrix.product(i, j);
  }

  @Override
  public double of(int cluster) {
    return angle(globalProducts[cluster], squaredNorms[cluster]);
  }

  private double angle(double product, double square) {
    double norms = Math.sqrt(Math.max(0, square)) * globalNorm;
    return norms == 0 ? Math.PI / 2 : StrictMath.acos(Math.clamp(product / norms, -1.0, 1.0));
  }

  @Override
  public double afterChange(int cluster, int leaving, int joining) {
    return angle(
        globalProductAfter(cluster, leaving, joining), squaredNormAfter(cluster, leaving, joining));
  }

  private double globalProductAfter(int cluster, int leaving, int joining) {
    return globalProducts[cluster]
        - (leaving == NO_CLIENT ? 0 : clientGlobalProducts[leaving])
        + (joining == NO_CLIENT ? 0 : clientGlobalProducts[joining]);
  }

  private double squaredNormAfter(int cluster, int leaving, int joining) {
    double square = squaredNorms[cluster];
    if (leaving != NO_CLIENT) {
      square += product(leaving, leaving) - 2 * clientClusterProducts[leaving][cluster];
    }
    if (joining != NO_CLIENT) {
      square += product(joining, joining) + 2 * clientClusterProducts[joining][cluster];
    }
    return leaving == NO_CLIENT || joining == NO_CLIENT
        ? square
        : square - 2 * product(leaving, joining);
  }

  @Override
  public void applyChange(int cluster, int leaving, int joining) {
    double product = globalProductAfter(cluster, leaving, joining);
    double square = squaredNormAfter(cluster, leaving, joining);
    globalProducts[cluster] = product;
    squaredNorms[cluster] = square;
    for (int i = 0; i < shares.length; i++) {
      clientClusterProducts[i][cluster] +=
          (joining == NO_CLIENT ? 0 : product(i, joining))
              - (leaving == NO_CLIENT ? 0 : product(i, leaving));
    }
  }
}
