package io.kindred.studies.overlay;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.SparseKernels;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;

/**
 * Signatures of peers in clusters, and of clusters in groups. A peer's vector is the weighted sum
 * of a normal draw of its group, one of its cluster and one of its own; the signature is the
 * vector's largest entries. Each peer's cluster is drawn at random, so neighbours in the network
 * are no more similar than other peers.
 *
 * @param shares weights of group, cluster and peer
 */
public record SyntheticSignatures(
    int dimension, int entries, int groups, int clusters, VectorShares shares) {
  /** Weights of the parts of a vector; only their proportion matters. */
  public record VectorShares(double group, double cluster, double own) {}

  SyntheticVectors vectors(long seed) {
    return new SyntheticVectors(dimension, groups, clusters, shares, seed);
  }

  public PeerSignatures draw(int peers, long seed) {
    return drawWithDrift(peers, seed, 0);
  }

  /**
   * Draws the same clusters, but the given share of the peers draws its cluster and vector again.
   */
  public PeerSignatures drawWithDrift(int peers, long seed, double share) {
    SyntheticVectors vectors = vectors(seed);
    List<Signature> signatures = new ArrayList<>();
    List<Integer> least = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      float[] own = vectors.vector(peer, vectors.drifts(peer, share) ? 1 : 0);
      Ints places = SparseKernels.largest(own, entries);
      float[] values = new float[places.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = own[places.get(i)];
      }
      signatures.add(Signature.of(dimension, Precision.BFLOAT16, places, Floats.wrap(values)));
      least.add(entries);
    }
    return new PeerSignatures(signatures, least, List.of());
  }
}
