package io.kindred.core.peer;

import io.kindred.core.compute.Ticket;

/**
 * What a peer wants done, as data. A shell interprets effects in the order in which they were
 * returned.
 */
public sealed interface Effect {
  record Send(PeerId to, Message message) implements Effect {}

  record SetTimer(Timer timer, long afterTicks) implements Effect {}

  /**
   * Asks for work; {@code ticket} is the machine's own number for it and comes back with the
   * result.
   */
  record Compute(long ticket, Ticket work) implements Effect {}

  record Observe(Observation observation) implements Effect {}

  /**
   * Speaks to another machine of the same peer. What no machine of the stack takes goes to the
   * shell.
   */
  record Notify(Component to, LocalMessage message) implements Effect {}
}
