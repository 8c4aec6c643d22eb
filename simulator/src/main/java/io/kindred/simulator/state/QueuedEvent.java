package io.kindred.simulator.state;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.link.Link;
import java.util.List;

/**
 * An event in the queue. Events that a peer caused for itself belong to one of its incarnations and
 * are void in the next. Append only: checkpoints name members by position.
 */
public sealed interface QueuedEvent {
  record Start(List<PeerId> neighbours) implements QueuedEvent {}

  /**
   * The last byte has arrived; a {@code corruptionSeed} other than zero selects the bit to flip.
   */
  record Arrival(Transfer transfer, long corruptionSeed) implements QueuedEvent {}

  record TimerExpiry(Component component, Timer timer, long incarnation) implements QueuedEvent {}

  /** Work in progress; a checkpoint keeps the ticket and computes it again. */
  record Work(Component component, long ticket, Ticket work, long incarnation)
      implements QueuedEvent {}

  /** The shell's answer to the question of a machine. */
  record ShellReply(Component component, LocalMessage message, long incarnation)
      implements QueuedEvent {}

  /** A sender will be notified that its message did not arrive. */
  record SendFailure(Component component, PeerId to, Message message, long incarnation)
      implements QueuedEvent {}

  /** The first byte of a long transfer is at the relay or at the receiver. */
  record FirstByte(
      Transfer transfer, long lastByteTick, long delay, long corruptionSeed, boolean atRelay)
      implements QueuedEvent {}

  /** A peer that was asked to leave goes down. */
  record Departure(long incarnation) implements QueuedEvent {}

  /** A peer will be notified of its current neighbours. */
  record NeighbourUpdate() implements QueuedEvent {}

  record LinkMeasurement(PeerId neighbour, Link link) implements QueuedEvent {}

  /** The next environment round begins. */
  record EnvironmentTick(long round) implements QueuedEvent {}

  /** A fault event occurs; {@code source} is the index of the fault source that generated it. */
  record EnvironmentChange(int source, FaultEvent fault) implements QueuedEvent {}

  /** A fading block of the radio that all peers share begins. */
  record RadioBlock(long number) implements QueuedEvent {}

  /** Whether the event is for the environment and not for a peer. */
  default boolean isEnvironmental() {
    return this instanceof EnvironmentTick || this instanceof EnvironmentChange;
  }
}
