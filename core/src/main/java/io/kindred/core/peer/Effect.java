package io.kindred.core.peer;

import io.kindred.core.compute.Ticket;

/**
 * An effect that a peer requests, as data. A shell interprets effects in the order in which they
 * were returned.
 */
public sealed interface Effect {
  record Send(PeerId to, Message message) implements Effect {}

  record SetTimer(Timer timer, long afterTicks) implements Effect {}

  /**
   * Requests work; {@code ticket} is the machine's own number for the work and comes back with the
   * result.
   */
  record Compute(long ticket, Ticket work) implements Effect {}

  record Observe(Observation observation) implements Effect {}

  /**
   * Sends a message to another machine of the same peer. A message to a component that is not in
   * the stack goes to the shell.
   */
  record Notify(Component to, LocalMessage message) implements Effect {}
}
