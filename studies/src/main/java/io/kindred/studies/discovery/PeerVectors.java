package io.kindred.studies.discovery;

import java.util.List;

/** The models' changes whose similarity counts, one vector a peer and version. */
interface PeerVectors {
  int size();

  /** The vector of a peer's model; version 0 is the first. */
  float[] vector(int peer, int version);

  /**
   * Peers that can be among the nearest of a peer: all, or those of its planted group, so that the
   * truth of a large network can be computed.
   */
  boolean mayBeNear(int peer, int version, int other, int otherVersion);

  /** Vectors that never change. */
  static PeerVectors of(List<float[]> vectors) {
    return new PeerVectors() {
      @Override
      public int size() {
        return vectors.size();
      }

      @Override
      public float[] vector(int peer, int version) {
        return vectors.get(peer);
      }

      @Override
      public boolean mayBeNear(int peer, int version, int other, int otherVersion) {
        return true;
      }
    };
  }
}
