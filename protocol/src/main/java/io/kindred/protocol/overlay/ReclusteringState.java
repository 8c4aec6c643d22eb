package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.signature.Signature;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A zone whose models have turned, on the way to other clusters.
 *
 * @param since when that began to be so
 * @param signatures as its tenants have given them since
 */
record ReclusteringState(Stage stage, long since, SortedMap<PeerId, Signature> signatures) {
  enum Stage {
    /** Others may turn at the same time: they are waited for. */
    DRIFT_DETECTED,
    COLLECTING,
    CLUSTERING
  }

  static ReclusteringState driftDetected(long tick) {
    return new ReclusteringState(Stage.DRIFT_DETECTED, tick, new TreeMap<>());
  }

  ReclusteringState inStage(Stage next, long tick) {
    return new ReclusteringState(next, tick, signatures);
  }

  ReclusteringState with(PeerId peer, Signature signature) {
    return new ReclusteringState(stage, since, Copies.with(signatures, peer, signature));
  }
}
