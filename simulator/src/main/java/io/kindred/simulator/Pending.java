package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.Note;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.work.Ticket;
import io.kindred.world.Change;
import io.kindred.world.Link;
import java.util.List;

/**
 * What the queue holds: an event in the making. What a peer caused for itself belongs to one of its
 * lives and is void in the next. Append only: checkpoints name members by position.
 */
sealed interface Pending {
  record Start(List<PeerId> neighbours) implements Pending {}

  /** The last bit is in; other than zero, {@code damage} says what to spoil. */
  record Arrival(Transfer transfer, long damage) implements Pending {}

  record Alarm(Component component, Timer timer, long life) implements Pending {}

  /** Work under way; a checkpoint keeps the ticket and computes it again. */
  record Work(Component component, long ticket, Ticket work, long life) implements Pending {}

  /** The shell's own answer to a machine that asked it something. */
  record Reply(Component component, Note note, long life) implements Pending {}

  /** A sender is about to hear that its message did not arrive. */
  record Failure(Component component, PeerId to, Message message, long life) implements Pending {}

  /** The first bit of a long transfer is at the relay or at the receiver's door. */
  record Hop(Transfer transfer, long lastBit, long delay, long damage, boolean atRelay)
      implements Pending {}

  /** A peer that was asked to leave is gone. */
  record Departure(long life) implements Pending {}

  /** A peer is about to learn who its neighbours are now. */
  record Notice() implements Pending {}

  record Measurement(PeerId neighbour, Link link) implements Pending {}

  /** The world's next round begins. */
  record Turn(long round) implements Pending {}

  /** Something happens to the world; {@code source} is the disturbance that wanted it. */
  record Happening(int source, Change change) implements Pending {}

  /** Whether it happens to the world and not to a peer. */
  default boolean worldly() {
    return this instanceof Turn || this instanceof Happening;
  }
}
