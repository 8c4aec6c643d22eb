package io.kindred.environment.mobility;

import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions;

/** How peers move; a record whose components are its settings. */
public interface Mobility {
  /** Where peers are over time. */
  @FunctionalInterface
  interface Movement {
    /** The positions at a time: a pure function, so that times may be asked in any order. */
    PeerPositions at(double seconds);
  }

  /** The same model with its files read; invalid contents are refused. */
  default Mobility read(int peers, TextFiles files) {
    return this;
  }

  /** Whether peers move at all. */
  boolean moves();

  /**
   * The movement of the peers of a run.
   *
   * @param placed positions drawn at random in the square, from which peers may start
   */
  Movement from(PeerPositions placed, double sideMetres, RandomStreams streams);
}
