package io.kindred.simulator.invariants;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.Locale;

/** A message arrives after it was sent, and time never goes back. */
final class NothingFromTheFuture implements StepListener {
  private long now;

  @Override
  public void arrived(Transfer transfer, long tick) {
    if (transfer.sentTick() >= tick) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "a message of peer %d arrives at peer %d not later than it was sent, at tick %d",
              transfer.from(),
              transfer.to(),
              transfer.sentTick()));
    }
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (tick < now) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT, "%s handles an event at an earlier time than the last event", peer));
    }
    now = tick;
  }
}
