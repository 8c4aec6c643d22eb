package io.kindred.environment.fault;

import io.kindred.core.weights.Ints;

/**
 * An event that the environment inflicts on peers or links. Append only: checkpoints name members
 * by position.
 */
public sealed interface FaultEvent {
  long tick();

  /** A peer is asked to hand over its duties; it goes down a little later. */
  record Leave(long tick, int peer) implements FaultEvent {}

  /** A peer goes down at once; it loses its state, or keeps what it last saved. */
  record Crash(long tick, int peer, boolean losesState) implements FaultEvent {}

  /** A peer that is down comes back. */
  record Return(long tick, int peer) implements FaultEvent {}

  /** A peer stands still, like a stopped process: its events are deferred. */
  record Pause(long tick, int peer) implements FaultEvent {}

  record Resume(long tick, int peer) implements FaultEvent {}

  /** From now on a peer computes this many times as slowly. */
  record SpeedChange(long tick, int peer, double factor) implements FaultEvent {}

  /** Participants of different groups no longer reach each other. */
  record Partition(long tick, Ints groups) implements FaultEvent {}

  /** No message gets from one participant to the other; the opposite direction still works. */
  record LinkCut(long tick, int from, int to) implements FaultEvent {}

  /** All partitions and link cuts end. */
  record Heal(long tick) implements FaultEvent {}

  /** All faults and all churn end: every peer is back, at full speed. */
  record FaultsEnd(long tick) implements FaultEvent {}
}
