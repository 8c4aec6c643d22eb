package io.kindred.studies.overlay;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
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

  private static final Purpose SIGNATURES = new Purpose("planted-signatures");

  public PeerSignatures draw(int peers, long seed) {
    return drawWithDrift(peers, seed, 0);
  }

  /**
   * Draws the same clusters, but the given share of the peers draws its cluster and vector again.
   */
  public PeerSignatures drawWithDrift(int peers, long seed, double share) {
    RandomStreams streams = new RandomStreams(seed);
    float[][] ofGroups = new float[groups][];
    for (int i = 0; i < groups; i++) {
      ofGroups[i] = drawNormal(streams.stream(SIGNATURES, i, 1));
    }
    float[][] ofClusters = new float[clusters][];
    for (int i = 0; i < clusters; i++) {
      ofClusters[i] = drawNormal(streams.stream(SIGNATURES, i, 2));
    }
    List<Signature> signatures = new ArrayList<>();
    List<Integer> least = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      boolean drifts = streams.stream(SIGNATURES, peer, 4).nextDouble() < share;
      RandomStream random = streams.stream(SIGNATURES, peer, drifts ? 5 : 3);
      int cluster = random.nextInt(clusters);
      float[] own = drawNormal(random);
      for (int i = 0; i < own.length; i++) {
        own[i] =
            (float)
                (shares.group() * ofGroups[cluster % groups][i]
                    + shares.cluster() * ofClusters[cluster][i]
                    + shares.own() * own[i]);
      }
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

  private float[] drawNormal(RandomStream random) {
    float[] values = new float[dimension];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
