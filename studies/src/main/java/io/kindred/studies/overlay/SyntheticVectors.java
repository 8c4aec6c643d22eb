package io.kindred.studies.overlay;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.studies.overlay.SyntheticSignatures.VectorShares;

/**
 * Vectors of peers in planted clusters, and of clusters in groups. A peer's vector is drawn when it
 * is asked for and not kept, so a million peers take no memory.
 */
public final class SyntheticVectors {
  private static final Purpose SIGNATURES = new Purpose("planted-signatures");
  private static final int DRIFT = 4;
  private static final int[] FIRST_DRAWS = {3, 5};

  private final int dimension;
  private final int clusters;
  private final VectorShares shares;
  private final RandomStreams streams;
  private final float[][] ofGroups;
  private final float[][] ofClusters;

  public SyntheticVectors(int dimension, int groups, int clusters, VectorShares shares, long seed) {
    this.dimension = dimension;
    this.clusters = clusters;
    this.shares = shares;
    this.streams = new RandomStreams(seed);
    ofGroups = new float[groups][];
    for (int i = 0; i < groups; i++) {
      ofGroups[i] = drawNormal(streams.stream(SIGNATURES, i, 1));
    }
    ofClusters = new float[clusters][];
    for (int i = 0; i < clusters; i++) {
      ofClusters[i] = drawNormal(streams.stream(SIGNATURES, i, 2));
    }
  }

  /** Whether the peer is one of the given share that draws its cluster and vector again. */
  public boolean drifts(int peer, double share) {
    return streams.stream(SIGNATURES, peer, DRIFT).nextDouble() < share;
  }

  /** The cluster of a peer's vector of the given number. */
  public int cluster(int peer, int number) {
    return random(peer, number).nextInt(clusters);
  }

  public int group(int cluster) {
    return cluster % ofGroups.length;
  }

  /** A peer's vector: number 0 is the first, a later one is drawn after a drift. */
  public float[] vector(int peer, int number) {
    RandomStream random = random(peer, number);
    int cluster = random.nextInt(clusters);
    float[] own = drawNormal(random);
    float[] ofGroup = ofGroups[group(cluster)];
    float[] ofCluster = ofClusters[cluster];
    for (int i = 0; i < own.length; i++) {
      own[i] =
          (float)
              (shares.group() * ofGroup[i]
                  + shares.cluster() * ofCluster[i]
                  + shares.own() * own[i]);
    }
    return own;
  }

  private RandomStream random(int peer, int number) {
    int draw = number < FIRST_DRAWS.length ? FIRST_DRAWS[number] : FIRST_DRAWS[1] + number;
    return streams.stream(SIGNATURES, peer, draw);
  }

  private float[] drawNormal(RandomStream random) {
    float[] values = new float[dimension];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
