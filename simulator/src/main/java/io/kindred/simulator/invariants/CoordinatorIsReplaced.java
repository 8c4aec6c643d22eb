package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.simulator.StepListener;
import java.util.Locale;

/**
 * Liveness of the coordinator of {@code hfl}: while a quorum of the clients is up, some coordinator
 * begins a round, sends assignments or renews its lease before a number of leases has passed. The
 * number leaves time for half of the clients in the order of succession to be down.
 */
final class CoordinatorIsReplaced implements StepListener {
  /** Leases for detection, lost messages and a vote without a majority. */
  private static final int FIXED_LEASES = 5;

  private final ClientQuorum quorum;
  private final long limitTicks;
  private long coordinatedTick;
  private boolean finished;

  CoordinatorIsReplaced(int clients, double leaseSeconds) {
    quorum = new ClientQuorum(clients);
    limitTicks = Ticks.ofSeconds(leaseSeconds * (FIXED_LEASES + clients / 4.0));
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    quorum.faultOccurred(fault);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Send(PeerId _, HflMessage message)) {
        finished |= message instanceof HflMessage.FinalModel;
        if (message instanceof HflMessage.Begin
            || message instanceof HflMessage.Assignment
            || message instanceof HflMessage.Lease) {
          startPeriod(tick);
        }
      }
    }
    if (!quorum.held()) {
      startPeriod(tick);
    } else if (!finished && tick - coordinatedTick > limitTicks) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "no coordinator for %.1f s, although a quorum of the clients is up",
              Ticks.toSeconds(tick - coordinatedTick)));
    }
  }

  private void startPeriod(long tick) {
    coordinatedTick = tick;
    quorum.observeFromNow();
  }
}
