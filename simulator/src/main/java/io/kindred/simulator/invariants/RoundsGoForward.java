package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.methods.contract.Conduct;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Within one incarnation a peer deploys each round once, in ascending order. No peer is more than
 * one round ahead of what the network has reached: a peer that skips rounds goes to a round that
 * another peer works in. Hostile peers may claim any round, so that this holds without them only.
 */
final class RoundsGoForward implements StepListener {
  private final Map<PeerId, Integer> last = new TreeMap<>();
  private final Conduct.Hostility hostility;
  private int reached;

  RoundsGoForward(Conduct.Hostility hostility) {
    this.hostility = hostility;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      last.remove(peer);
    }
    for (Tagged<Effect> effect : step.effects()) {
      switch (effect.value()) {
        case Effect.Observe(Observation.RoundCompleted(int round)) -> reach(tick, peer, round);
        case Effect.Observe(Observation.Deployed deployed) -> deployed(tick, peer, deployed);
        case Effect.Observe _,
            Effect.Send _,
            Effect.SetTimer _,
            Effect.Compute _,
            Effect.Notify _ -> {}
      }
    }
  }

  private void reach(long tick, PeerId peer, int round) {
    if (round > reached + 1 && hostility.equals(Conduct.Hostility.NONE)) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "%s is in round %d, but no peer has completed a round after %d",
              peer,
              round,
              reached));
    }
    reached = Math.max(reached, round);
  }

  private void deployed(long tick, PeerId peer, Observation.Deployed deployed) {
    reach(tick, peer, deployed.round());
    if (deployed.stage() == Observation.Stage.MIXED) {
      Integer before = last.put(peer, deployed.round());
      if (before != null && before >= deployed.round()) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT, "%s deploys round %d after round %d", peer, deployed.round(), before));
      }
    }
  }
}
