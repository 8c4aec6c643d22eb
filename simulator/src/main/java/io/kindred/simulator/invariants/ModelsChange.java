package io.kindred.simulator.invariants;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Liveness of every method that trains: among {@link #ROUNDS} rounds of all peers at least one
 * changes the model that its peer deploys after mixing. A run whose rounds pass without any effect
 * would end normally.
 */
final class ModelsChange implements StepListener {
  static final int ROUNDS = 5;

  private final int limit;
  private final Map<PeerId, Digest> newest = new TreeMap<>();
  private int unchanged;

  ModelsChange(int peers) {
    limit = ROUNDS * peers;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Observe(Observation.Deployed deployed)
          && deployed.stage() == Observation.Stage.MIXED
          && deployed.predictor() instanceof Predictor.Single single) {
        Digest before = newest.put(peer, single.weights().digest());
        unchanged = single.weights().digest().equals(before) ? unchanged + 1 : 0;
        if (unchanged >= limit) {
          throw new Violation(
              getClass(),
              tick,
              String.format(
                  Locale.ROOT,
                  "the last %d models that peers deployed were their old ones",
                  limit));
        }
      }
    }
  }
}
