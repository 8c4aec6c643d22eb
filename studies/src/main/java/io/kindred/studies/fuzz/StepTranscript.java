package io.kindred.studies.fuzz;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.Locale;
import java.util.function.BiConsumer;

/** Writes each event and the effects of the peer's step as text. */
final class StepTranscript implements StepListener {
  private static final int LONGEST = 160;

  private final BiConsumer<Long, String> out;
  private long events;

  /** Passes each line with the number of its event. */
  StepTranscript(BiConsumer<Long, String> out) {
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
      line.append("\n                              ").append(describe(effect.value()));
    }
    out.accept(events, line.toString());
  }

  private static String describe(Effect effect) {
    return switch (effect) {
      case Effect.Send send -> "sends to " + send.to() + ": " + shortened(send.message());
      case Effect.SetTimer setTimer ->
          String.format(
              Locale.ROOT,
              "sets %s %d in %.6f s",
              setTimer.timer().name(),
              setTimer.timer().number(),
              Ticks.toSeconds(setTimer.afterTicks()));
      case Effect.Compute(long number, Ticket work) ->
          "computes " + number + ": " + shortened(work);
      case Effect.Observe observe -> "reports: " + shortened(observe.observation());
      case Effect.Notify notify -> "notifies " + notify.to() + ": " + shortened(notify.message());
    };
  }

  private static String shortened(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    writeEnvironmentLine(fault.tick(), shortened(fault));
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    writeEnvironmentLine(
        tick,
        "lost: from peer "
            + transfer.from()
            + " to peer "
            + transfer.to()
            + ": "
            + shortened(transfer.message()));
  }

  private void writeEnvironmentLine(long tick, String what) {
    out.accept(
        events,
        String.format(Locale.ROOT, "         %12.6f s  *** %s", Ticks.toSeconds(tick), what));
  }
}
