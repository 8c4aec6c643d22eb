package io.kindred.studies.discovery;

import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;

/**
 * The models' changes whose similarity counts: one vector for each peer and version. Numbers from
 * {@link #size} on are strangers, vectors that are no peer's model.
 */
public interface PeerVectors {
  int size();

  /** The vector of a peer's model; version 0 is the first. */
  float[] vector(int peer, int version);

  /** The sketch that the peer itself would make of this model. */
  Sketch sketch(int peer, int version, SketchRule rule);

  /**
   * How many times the network is divided into parts. The parts of level 0 are the smallest, and
   * the highest level has a single part.
   */
  int levels();

  /**
   * The part that a vector belongs to. All vectors of its part are nearer to it than any other
   * vector, so that the nearest peers of a large network can be found without comparing all pairs.
   */
  int part(int peer, int version, int level);

  /** Whether a peer can draw another model in the middle of a study. */
  boolean canDrift();
}
