package io.kindred.simulator;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.state.Transfer;

/**
 * Follows every step of a simulation: checkers of invariants, and writers of transcripts. Unlike an
 * {@link ObservationListener} it sees what peers cannot, and it may stop a run by throwing.
 */
public interface StepListener {
  /** Ignores everything. */
  StepListener NONE = new StepListener() {};

  /** A message has left its sender. */
  default void sent(Transfer transfer, long tick) {}

  /** A message will not arrive. */
  default void lost(Transfer transfer, long tick) {}

  /** A message has arrived and is about to be delivered. */
  default void arrived(Transfer transfer, long tick) {}

  /** A peer has processed an event. */
  default void stepped(long tick, PeerId peer, Event event, PeerStep step) {}

  /** A fault event has been applied. */
  default void faultOccurred(FaultEvent fault) {}

  /** The number of queued peer events, after a step. */
  default void queued(int entries) {}
}
