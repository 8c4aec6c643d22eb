package io.kindred.environment.fault;

import io.kindred.core.weights.Ints;

/**
 * Something that happens to the world rather than within it. Append only: checkpoints name members
 * by position.
 */
public sealed interface FaultEvent {
  long tick();

  /** A peer is asked to hand over its duties; it is gone a little later. */
  record Leave(long tick, int peer) implements FaultEvent {}

  /** A peer is gone at once; it forgets everything, or keeps what it last saved. */
  record Crash(long tick, int peer, boolean losesState) implements FaultEvent {}

  /** A peer that is gone comes back. */
  record Return(long tick, int peer) implements FaultEvent {}

  /** A peer stands still, as a stopped process does: what happens to it has to wait. */
  record Pause(long tick, int peer) implements FaultEvent {}

  record Resume(long tick, int peer) implements FaultEvent {}

  /** From now on a peer computes so many times as slowly. */
  record SpeedChange(long tick, int peer, double factor) implements FaultEvent {}

  /** Participants with different numbers no longer reach each other. */
  record Partition(long tick, Ints groups) implements FaultEvent {}

  /** Nothing gets from one to the other; the way back stays open. */
  record LinkCut(long tick, int from, int to) implements FaultEvent {}

  /** Splits and cuts are over. */
  record Heal(long tick) implements FaultEvent {}

  /** Everything is over: no faults, no churn, everybody back, at full speed. */
  record FaultsEnd(long tick) implements FaultEvent {}
}
