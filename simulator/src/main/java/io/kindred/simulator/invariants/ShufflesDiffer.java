package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
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
 * Within one incarnation no training of a later round shuffles samples by the random stream of an
 * earlier one: a stream that is reused makes draws depend on each other.
 */
final class ShufflesDiffer implements StepListener {
  private final Map<PeerId, Map<String, Long>> used = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      used.remove(peer);
    }
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long round, Ticket.Train train)) {
        Map<String, Long> known = used.computeIfAbsent(peer, unseen -> new TreeMap<>());
        Long before = known.putIfAbsent(train.shuffle().toString(), round);
        if (before != null && before < round) {
          throw new Violation(
              getClass(),
              tick,
              String.format(
                  Locale.ROOT,
                  "%s trains in round %d with the random stream %s of round %d",
                  peer,
                  round,
                  train.shuffle(),
                  before));
        }
      }
    }
  }
}
