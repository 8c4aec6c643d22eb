package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Within one incarnation a peer deploys each round once, in ascending order. */
final class RoundsGoForward implements StepListener {
  private final Map<PeerId, Integer> last = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      last.remove(peer);
    }
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Observe(Observation.Deployed deployed)
          && deployed.stage() == Observation.Stage.MIXED) {
        Integer before = last.put(peer, deployed.round());
        if (before != null && before >= deployed.round()) {
          throw new Violation(
              getClass(),
              tick,
              String.format(
                  Locale.ROOT,
                  "%s deploys round %d after round %d",
                  peer,
                  deployed.round(),
                  before));
        }
      }
    }
  }
}
