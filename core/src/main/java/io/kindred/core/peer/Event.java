package io.kindred.core.peer;

import io.kindred.core.compute.Result;
import java.util.List;

/**
 * What happened to a peer, and when. Append only: the position in this family is part of the trace
 * encoding.
 */
public sealed interface Event {
  long tick();

  /** The peer exists for the first time. */
  record Started(long tick, List<PeerId> neighbours) implements Event {
    public Started {
      neighbours = List.copyOf(neighbours);
    }
  }

  /**
   * The peer is back with the state of its last checkpoint; earlier work and timers no longer
   * exist.
   */
  record Restored(long tick, List<PeerId> neighbours) implements Event {
    public Restored {
      neighbours = List.copyOf(neighbours);
    }
  }

  /**
   * A message arrived, complete with every weight vector it names, each checked against its digest.
   */
  record Received(long tick, PeerId from, Message message) implements Event {}

  /**
   * The shell gave up on a message: the receiver is unreachable, or a weight vector that the
   * message names did not arrive.
   */
  record SendFailed(long tick, PeerId to, Message message) implements Event {}

  record TimerFired(long tick, Timer timer) implements Event {}

  record Computed(long tick, long ticket, Result result) implements Event {}

  record NeighboursChanged(long tick, List<PeerId> neighbours) implements Event {
    public NeighboursChanged {
      neighbours = List.copyOf(neighbours);
    }
  }

  /**
   * A measurement of the link to another peer: all that a peer may know of the environment, never
   * the model behind it.
   */
  record LinkMeasured(
      long tick, PeerId peer, double bytesPerSecond, long latencyTicks, double errorProbability)
      implements Event {}

  /** The operator asks the peer to hand over its duties and leave. */
  record LeaveRequested(long tick) implements Event {}

  /** A message from another machine of the same peer, or from the shell. */
  record Notified(long tick, Component from, LocalMessage message) implements Event {}
}
