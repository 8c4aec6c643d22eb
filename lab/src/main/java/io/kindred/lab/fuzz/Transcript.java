package io.kindred.lab.fuzz;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.work.Ticket;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import io.kindred.world.Change;
import java.util.Locale;
import java.util.function.BiConsumer;

/** Tells in words what happens: each event with what the peer made of it. */
final class Transcript implements Inspector {
  private static final int LONGEST = 160;

  private final BiConsumer<Long, String> out;
  private long events;

  /** Each line comes with the number of the event that it belongs to. */
  Transcript(BiConsumer<Long, String> out) {
    this.out = out;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    events++;
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(Locale.ROOT, "%8d %12.6f s  %s: ", events, Ticks.toSeconds(tick), peer));
    line.append(shortened(event));
    for (Tagged<Effect> effect : step.effects()) {
      line.append("\n                              ").append(said(effect.value()));
    }
    out.accept(events, line.toString());
  }

  private static String said(Effect effect) {
    return switch (effect) {
      case Effect.Send send -> "sends to " + send.to() + ": " + shortened(send.message());
      case Effect.SetTimer alarm ->
          String.format(
              Locale.ROOT,
              "sets %s %d in %.6f s",
              alarm.timer().name(),
              alarm.timer().number(),
              Ticks.toSeconds(alarm.afterTicks()));
      case Effect.Compute(long number, Ticket work) ->
          "computes " + number + ": " + shortened(work);
      case Effect.Observe observe -> "lets know: " + shortened(observe.observation());
      case Effect.Tell tell -> "tells " + tell.to() + ": " + shortened(tell.note());
    };
  }

  private static String shortened(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  @Override
  public void changed(Change change) {
    world(change.tick(), shortened(change));
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    world(
        tick,
        "lost: from peer "
            + transfer.from()
            + " to peer "
            + transfer.to()
            + ": "
            + shortened(transfer.message()));
  }

  private void world(long tick, String what) {
    out.accept(
        events,
        String.format(Locale.ROOT, "         %12.6f s  *** %s", Ticks.toSeconds(tick), what));
  }
}
