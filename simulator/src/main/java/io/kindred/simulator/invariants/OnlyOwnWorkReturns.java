package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A timer fires and a computation ends only as often as the peer asked for it in the same
 * incarnation.
 */
final class OnlyOwnWorkReturns implements StepListener {
  private final Map<PeerId, Map<String, Integer>> asked = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      asked.remove(peer);
    }
    Map<String, Integer> open = asked.computeIfAbsent(peer, unseen -> new TreeMap<>());
    switch (event) {
      case Event.TimerFired fired -> returned(tick, peer, open, fired.timer().toString());
      case Event.Computed computed -> returned(tick, peer, open, ticket(computed.ticket()));
      default -> {}
    }
    for (Tagged<Effect> effect : step.effects()) {
      switch (effect.value()) {
        case Effect.SetTimer timer -> open.merge(timer.timer().toString(), 1, Integer::sum);
        case Effect.Compute compute -> open.merge(ticket(compute.ticket()), 1, Integer::sum);
        case Effect.Send _, Effect.Observe _, Effect.Notify _ -> {}
      }
    }
  }

  private static String ticket(long number) {
    return "computation " + number;
  }

  private void returned(long tick, PeerId peer, Map<String, Integer> open, String what) {
    Integer left = open.remove(what);
    if (left == null) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT, "%s gets the end of %s, which it did not ask for", peer, what));
    }
    if (left > 1) {
      open.put(what, left - 1);
    }
  }
}
