package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.signatures.Signature;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A zone whose models have turned, on the way to other clusters.
 *
 * @param since when that began to be so
 * @param signatures as its tenants have given them since
 */
record Regroup(Stage stage, long since, SortedMap<PeerId, Signature> signatures) {
  enum Stage {
    /** Others may turn at the same time: they are waited for. */
    NOTICED,
    ASKED,
    CLUSTERING
  }

  static Regroup noticed(long tick) {
    return new Regroup(Stage.NOTICED, tick, new TreeMap<>());
  }

  Regroup at(Stage next, long tick) {
    return new Regroup(next, tick, signatures);
  }

  Regroup with(PeerId peer, Signature signature) {
    return new Regroup(stage, since, Rows.with(signatures, peer, signature));
  }
}
