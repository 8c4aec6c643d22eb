package io.kindred.world;

import io.kindred.core.weights.Ints;

/**
 * Something that happens to the world rather than within it. Append only: checkpoints name members
 * by position.
 */
public sealed interface Change {
  long tick();

  /** A peer is asked to hand over its duties; it is gone a little later. */
  record Leave(long tick, int peer) implements Change {}

  /** A peer is gone at once; it forgets everything, or keeps what it last saved. */
  record Crash(long tick, int peer, boolean forgets) implements Change {}

  /** A peer that is gone comes back. */
  record Return(long tick, int peer) implements Change {}

  /** A peer stands still, as a stopped process does: what happens to it has to wait. */
  record Pause(long tick, int peer) implements Change {}

  record Resume(long tick, int peer) implements Change {}

  /** From now on a peer computes so many times as slowly. */
  record Slow(long tick, int peer, double factor) implements Change {}

  /** Participants with different numbers no longer reach each other. */
  record Split(long tick, Ints sides) implements Change {}

  /** Nothing gets from one to the other; the way back stays open. */
  record Cut(long tick, int from, int to) implements Change {}

  /** Splits and cuts are over. */
  record Heal(long tick) implements Change {}

  /** Everything is over: no faults, no churn, everybody back, at full speed. */
  record Calm(long tick) implements Change {}
}
