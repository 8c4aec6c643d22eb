package io.kindred.methods.hfl.formation;

/**
 * How far each cluster is from the whole, kept up to date as clients change clusters. The
 * divergence after a change is cheap: nothing is computed anew from the features.
 */
interface Divergence {
  /** Stands for no client where a client is expected. */
  int NO_CLIENT = -1;

  double of(int cluster);

  /** The divergence if one client left the cluster and one that is not in it joined. */
  double afterChange(int cluster, int leaving, int joining);

  /** Applies that change. */
  void applyChange(int cluster, int leaving, int joining);
}
