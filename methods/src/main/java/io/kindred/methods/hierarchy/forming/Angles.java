package io.kindred.methods.hierarchy.forming;

/**
 * The angle between a cluster's direction and the common one (equation 3), both sums of the
 * clients' directions weighted by their shares. With v the weighted direction of a client, s the
 * sum of a cluster and g that of all, s·g and |s|² follow from inner products of clients alone: a
 * candidate costs a handful of additions.
 */
final class Angles implements Divergence {
  private final double[] shares;
  private final Gram gram;
  // s·g and |s|² of each cluster, v·g of each client, v·s of each client and cluster.
  private final double[] along;
  private final double[] squares;
  private final double[] clientAlong;
  private final double[][] withCluster;
  private final double wholeNorm;

  Angles(Situation situation, Gram gram, Clustering clustering) {
    this.gram = gram;
    shares = situation.shares();
    int clients = clustering.clients();
    along = new double[clustering.clusters()];
    squares = new double[clustering.clusters()];
    clientAlong = new double[clients];
    withCluster = new double[clients][clustering.clusters()];
    double whole = 0;
    for (int i = 0; i < clients; i++) {
      for (int j = 0; j < clients; j++) {
        withCluster[i][clustering.of(j)] += product(i, j);
      }
      for (double part : withCluster[i]) {
        clientAlong[i] += part;
      }
      along[clustering.of(i)] += clientAlong[i];
      squares[clustering.of(i)] += withCluster[i][clustering.of(i)];
      whole += clientAlong[i];
    }
    wholeNorm = Math.sqrt(Math.max(0, whole));
  }

  private double product(int i, int j) {
    return shares[i] * shares[j] * gram.product(i, j);
  }

  @Override
  public double of(int cluster) {
    return angle(along[cluster], squares[cluster]);
  }

  private double angle(double product, double square) {
    double norms = Math.sqrt(Math.max(0, square)) * wholeNorm;
    return norms == 0 ? Math.PI / 2 : StrictMath.acos(Math.clamp(product / norms, -1.0, 1.0));
  }

  @Override
  public double after(int cluster, int leaving, int joining) {
    return angle(alongAfter(cluster, leaving, joining), squareAfter(cluster, leaving, joining));
  }

  private double alongAfter(int cluster, int leaving, int joining) {
    return along[cluster]
        - (leaving == NOBODY ? 0 : clientAlong[leaving])
        + (joining == NOBODY ? 0 : clientAlong[joining]);
  }

  private double squareAfter(int cluster, int leaving, int joining) {
    double square = squares[cluster];
    if (leaving != NOBODY) {
      square += product(leaving, leaving) - 2 * withCluster[leaving][cluster];
    }
    if (joining != NOBODY) {
      square += product(joining, joining) + 2 * withCluster[joining][cluster];
    }
    return leaving == NOBODY || joining == NOBODY ? square : square - 2 * product(leaving, joining);
  }

  @Override
  public void change(int cluster, int leaving, int joining) {
    double product = alongAfter(cluster, leaving, joining);
    double square = squareAfter(cluster, leaving, joining);
    along[cluster] = product;
    squares[cluster] = square;
    for (int i = 0; i < shares.length; i++) {
      withCluster[i][cluster] +=
          (joining == NOBODY ? 0 : product(i, joining))
              - (leaving == NOBODY ? 0 : product(i, leaving));
    }
  }
}
