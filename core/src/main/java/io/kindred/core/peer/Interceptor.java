package io.kindred.core.peer;

import java.util.List;
import java.util.Optional;

/**
 * Stands between one machine of a peer and everything outside the machine: it may change the events
 * that the machine gets and the effects that the machine requests. Like a machine it is total,
 * deterministic and without IO. Its state is an immutable record that is checkpointed beside the
 * states of the machines.
 */
public interface Interceptor<S> {
  /** The state before any event. */
  S initial();

  /** The event as the machine gets it; empty if the machine does not get it. */
  Optional<Event> beforeStep(S state, Event event);

  /**
   * The new state, and the effects that the peer requests.
   *
   * @param event the event as it was before {@link #beforeStep}
   * @param effects what the machine requests
   */
  Step<S> afterStep(S state, Event event, List<Effect> effects);
}
