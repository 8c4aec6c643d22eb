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
 * What the queue holds: an event in the making. What a peer caused for itself belongs to one of its
 * lives and is void in the next. Append only: checkpoints name members by position.
 */
public sealed interface QueuedEvent {
  record Start(List<PeerId> neighbours) implements QueuedEvent {}

  /** The last bit is in; other than zero, {@code damage} says what to spoil. */
  record Arrival(Transfer transfer, long corruptionSeed) implements QueuedEvent {}

  record TimerExpiry(Component component, Timer timer, long incarnation) implements QueuedEvent {}

  /** Work under way; a checkpoint keeps the ticket and computes it again. */
  record Work(Component component, long ticket, Ticket work, long incarnation)
      implements QueuedEvent {}

  /** The shell's own answer to a machine that asked it something. */
  record ShellReply(Component component, LocalMessage message, long incarnation)
      implements QueuedEvent {}

  /** A sender is about to hear that its message did not arrive. */
  record SendFailure(Component component, PeerId to, Message message, long incarnation)
      implements QueuedEvent {}

  /** The first bit of a long transfer is at the relay or at the receiver's door. */
  record FirstByte(
      Transfer transfer, long lastByteTick, long delay, long corruptionSeed, boolean atRelay)
      implements QueuedEvent {}

  /** A peer that was asked to leave is gone. */
  record Departure(long incarnation) implements QueuedEvent {}

  /** A peer is about to learn who its neighbours are now. */
  record NeighbourUpdate() implements QueuedEvent {}

  record LinkMeasurement(PeerId neighbour, Link link) implements QueuedEvent {}

  /** The world's next round begins. */
  record EnvironmentTick(long round) implements QueuedEvent {}

  /** Something happens to the world; {@code source} is the disturbance that wanted it. */
  record EnvironmentChange(int source, FaultEvent fault) implements QueuedEvent {}

  /** Whether it happens to the world and not to a peer. */
  default boolean isEnvironmental() {
    return this instanceof EnvironmentTick || this instanceof EnvironmentChange;
  }
}
