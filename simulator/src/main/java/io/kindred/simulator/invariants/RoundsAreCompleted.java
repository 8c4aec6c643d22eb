package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.simulator.StepListener;
import java.util.Locale;

/**
 * Liveness of every method: while most peers, and the server where there is one, are up and
 * connected, some peer deploys a model within a time limit, until a peer has deployed that of the
 * last round.
 */
public final class RoundsAreCompleted implements StepListener {
  private final ClientQuorum quorum;
  private final int server;
  private final int rounds;
  private final long limitTicks;
  private boolean serverDown;
  private boolean serverWasDown;
  private boolean finished;
  private long deployedTick;

  /**
   * A checker of one run.
   *
   * @param peers number of peers, a server not counted; a server has this number
   * @param limitSeconds longer than any timeout of the method and the training of any round
   */
  public RoundsAreCompleted(int peers, int rounds, double limitSeconds) {
    quorum = new ClientQuorum(peers);
    server = peers;
    this.rounds = rounds;
    limitTicks = Ticks.ofSeconds(limitSeconds);
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    quorum.faultOccurred(fault);
    switch (fault) {
      case FaultEvent.Crash(long _, int peer, boolean _) when peer == server -> serverFails();
      case FaultEvent.Leave(long _, int peer) when peer == server -> serverFails();
      case FaultEvent.Return(long _, int peer) when peer == server -> serverDown = false;
      case FaultEvent.FaultsEnd _ -> serverDown = false;
      default -> {}
    }
  }

  private void serverFails() {
    serverDown = true;
    serverWasDown = true;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Observe(Observation.Deployed deployed)) {
        finished |= deployed.round() >= rounds;
        startPeriod(tick);
      }
    }
    if (finished) {
      return;
    }
    if (!quorum.held() || serverWasDown) {
      startPeriod(tick);
    } else if (tick - deployedTick > limitTicks) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "no peer has deployed a model for %.1f s, although most peers are up and connected",
              Ticks.toSeconds(tick - deployedTick)));
    }
  }

  private void startPeriod(long tick) {
    deployedTick = tick;
    serverWasDown = serverDown;
    quorum.observeFromNow();
  }
}
