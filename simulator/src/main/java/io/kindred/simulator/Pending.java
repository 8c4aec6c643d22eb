package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.Note;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.work.Ticket;
import java.util.List;

/**
 * What the queue holds: an event in the making. Append only: checkpoints name members by position.
 */
sealed interface Pending {
  record Start(List<PeerId> neighbours) implements Pending {}

  record Arrival(Component component, PeerId from, Message message) implements Pending {}

  record Alarm(Component component, Timer timer) implements Pending {}

  /** Work under way; a checkpoint keeps the ticket and computes it again. */
  record Work(Component component, long ticket, Ticket work) implements Pending {}

  /** The shell's own answer to a machine that asked it something. */
  record Reply(Component component, Note note) implements Pending {}
}
