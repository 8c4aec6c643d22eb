package io.kindred.simulator;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.state.Transfer;

/**
 * Whoever looks over the simulator's shoulder: checkers of what must always hold, and writers of
 * transcripts. Unlike a {@link ObservationListener} it sees what peers cannot, and it may stop a
 * run by throwing.
 */
public interface StepListener {
  /** Does not look. */
  StepListener NONE = new StepListener() {};

  /** A message has left its sender. */
  default void sent(Transfer transfer, long tick) {}

  /** A message will not arrive. */
  default void lost(Transfer transfer, long tick) {}

  /** A message has arrived and is about to be delivered. */
  default void arrived(Transfer transfer, long tick) {}

  /** A peer has answered an event. */
  default void stepped(long tick, PeerId peer, Event event, PeerStep step) {}

  /** Something has happened to the world. */
  default void faultOccurred(FaultEvent fault) {}

  /** So many entries are in the queue, after a step. */
  default void queued(int entries) {}
}
