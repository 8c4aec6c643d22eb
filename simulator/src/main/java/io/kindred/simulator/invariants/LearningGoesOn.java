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
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Liveness of {@code hfl}: some cluster trains, and so changes the global model, in at least one of
 * any {@link #ROUNDS} rounds in which a quorum took part. A quorum is more than half of the clients
 * that were up, neither paused nor slowed, from the beginning of the round to its end, while no
 * connection was cut. Rounds without a quorum count neither way.
 */
final class LearningGoesOn implements StepListener {
  /** Faults of messages can waste a round, but hardly ever so many in a row. */
  static final int ROUNDS = 5;

  private final int clients;
  private final Set<Integer> impaired = new TreeSet<>();
  private final Set<Integer> impairedInRound = new TreeSet<>();
  private boolean connectionsCut;
  private boolean cutInRound;
  private int round;
  private @Nullable Digest modelAtBegin;
  private int wasted;

  LearningGoesOn(int clients) {
    this.clients = clients;
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    switch (fault) {
      case FaultEvent.Crash(long _, int peer, boolean _) -> impair(peer);
      case FaultEvent.Leave(long _, int peer) -> impair(peer);
      case FaultEvent.Pause(long _, int peer) -> impair(peer);
      case FaultEvent.SpeedChange(long _, int peer, double factor) -> {
        if (factor > 1) {
          impair(peer);
        } else {
          impaired.remove(peer);
        }
      }
      case FaultEvent.Return(long _, int peer) -> impaired.remove(peer);
      case FaultEvent.Resume(long _, int peer) -> impaired.remove(peer);
      case FaultEvent.Partition _, FaultEvent.LinkCut _ -> {
        connectionsCut = true;
        cutInRound = true;
      }
      case FaultEvent.Heal _ -> connectionsCut = false;
      case FaultEvent.FaultsEnd _ -> {
        impaired.clear();
        connectionsCut = false;
      }
    }
  }

  private void impair(int peer) {
    impaired.add(peer);
    impairedInRound.add(peer);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Send(PeerId _, HflMessage.Begin begin)
          && begin.roundAttempt().round() != round) {
        roundBegins(tick, begin);
      }
    }
  }

  /** The model that a round begins with shows whether the round before has changed it. */
  private void roundBegins(long tick, HflMessage.Begin begin) {
    Digest model = begin.model().digest();
    if (!model.equals(modelAtBegin)) {
      wasted = 0;
    } else if (hadQuorum() && ++wasted >= ROUNDS) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "the global model has not changed in %d rounds with a quorum, up to round %d",
              ROUNDS,
              round));
    }
    round = begin.roundAttempt().round();
    modelAtBegin = model;
    impairedInRound.clear();
    impairedInRound.addAll(impaired);
    cutInRound = connectionsCut;
  }

  private boolean hadQuorum() {
    long steady = clients - impairedInRound.stream().filter(each -> each < clients).count();
    return 2 * steady > clients && !cutInRound;
  }
}
