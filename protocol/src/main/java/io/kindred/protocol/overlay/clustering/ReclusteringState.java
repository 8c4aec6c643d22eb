package io.kindred.protocol.overlay.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.signature.Signature;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The reclustering of a zone after drift.
 *
 * @param since when the stage began
 * @param signatures those that members have sent for it
 */
public record ReclusteringState(Stage stage, long since, SortedMap<PeerId, Signature> signatures) {
  public enum Stage {
    /** Waits for a lease, as other members may drift at the same time. */
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
