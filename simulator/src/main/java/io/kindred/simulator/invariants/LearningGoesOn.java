package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Liveness of {@code hfl}: some cluster trains, and so changes the global model, in at least one of
 * any {@link #ROUNDS} rounds in which a quorum took part. A quorum is more than half of the clients
 * that were up, neither paused nor slowed, from the beginning of the round to its end, while no
 * connection was cut. Rounds without a quorum count neither way, nor does a round that a new
 * coordinator repeats.
 */
final class LearningGoesOn implements StepListener {
  /** Faults of messages can waste a round, but hardly ever so many in a row. */
  static final int ROUNDS = 5;

  private final ClientQuorum quorum;
  private long term;
  private int round;
  private @Nullable Digest modelAtBegin;
  private int wasted;

  LearningGoesOn(int clients) {
    quorum = new ClientQuorum(clients);
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    quorum.faultOccurred(fault);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Send(PeerId _, HflMessage.Begin begin)
          && begin.roundAttempt().term() >= term
          && (begin.roundAttempt().term() > term || begin.roundAttempt().round() != round)) {
        roundBegins(tick, begin);
      }
    }
  }

  /** The model that a round begins with shows whether the round before has changed it. */
  private void roundBegins(long tick, HflMessage.Begin begin) {
    Digest model = begin.model().digest();
    if (!model.equals(modelAtBegin)) {
      wasted = 0;
    } else if (begin.roundAttempt().term() == term && quorum.held() && ++wasted >= ROUNDS) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "the global model has not changed in %d rounds with a quorum, up to round %d",
              ROUNDS,
              round));
    }
    term = begin.roundAttempt().term();
    round = begin.roundAttempt().round();
    modelAtBegin = model;
    quorum.observeFromNow();
  }
}
