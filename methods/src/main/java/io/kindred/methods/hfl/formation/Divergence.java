package io.kindred.methods.hfl.formation;

/**
 * How far each cluster is from the whole, kept up to date as clients change places. What would be
 * after a change costs little: nothing is computed anew from the features.
 */
interface Divergence {
  /** Stands for nobody where a client is asked for. */
  int NOBODY = -1;

  double of(int cluster);

  /** What it would be if one left the cluster and one who is not in it joined. */
  double afterChange(int cluster, int leaving, int joining);

  /** Makes that change. */
  void applyChange(int cluster, int leaving, int joining);
}
