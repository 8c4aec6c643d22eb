package io.kindred.simulator.invariants;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.weights.Weights;
import io.kindred.simulator.StepListener;
import java.util.Locale;

/** No training and no mixture produces NaN or infinite weights. */
final class FiniteWeights implements StepListener {
  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Computed computed) {
      switch (computed.result()) {
        case Result.Trained trained -> {
          check(tick, peer, trained.weights());
          trained.velocity().ifPresent(velocity -> check(tick, peer, velocity));
        }
        case Result.Mixed mixed -> check(tick, peer, mixed.weights());
        case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
      }
    }
  }

  private void check(long tick, PeerId peer, Weights weights) {
    for (int i = 0; i < weights.size(); i++) {
      if (!Float.isFinite(weights.get(i))) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT, "weight %d of what %s computed is %s", i, peer, weights.get(i)));
      }
    }
  }
}
