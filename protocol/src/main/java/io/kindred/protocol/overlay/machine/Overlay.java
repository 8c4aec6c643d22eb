package io.kindred.protocol.overlay.machine;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.clustering.AffinityPropagation;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.membership.LocalStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The overlay machine of one peer. It starts once it knows its neighbours, notifies the method when
 * it is {@link OverlayLocalMessage.Ready}, and searches for the method.
 */
public final class Overlay implements Machine<OverlayState> {
  private final OverlayContext context;

  public Overlay(OverlayContext context) {
    this.context = context;
  }

  /**
   * All records that a codec must know: the overlay's messages, local messages and computations.
   */
  public static List<Class<?>> records() {
    List<Class<?>> records = new ArrayList<>();
    for (Class<?> family :
        List.of(
            OverlayMessage.class,
            FormationMessage.class,
            MembershipMessage.class,
            SearchMessage.class,
            SearchMessage.Refusable.class,
            OverlayLocalMessage.class)) {
      Arrays.stream(family.getPermittedSubclasses()).filter(Class::isRecord).forEach(records::add);
    }
    records.addAll(
        List.of(
            ClusterSignatures.class,
            ClusterSignatures.Clustered.class,
            AffinityPropagation.class,
            ExemplarClustering.class));
    return List.copyOf(records);
  }

  @Override
  public OverlayState initial() {
    return OverlayState.EMPTY;
  }

  @Override
  public Step<OverlayState> step(OverlayState state, Event event) {
    OverlayRouter router = new OverlayRouter(context, state, event.tick());
    OverlayStep step = router.step();
    switch (event) {
      case Event.Started started -> start(router, started.neighbours());
      case Event.Restored restored -> restore(router, restored.neighbours());
      case Event.Received received -> router.receive(received.from(), received.message());
      case Event.SendFailed failed -> router.undelivered(failed.to(), failed.message());
      case Event.TimerFired fired -> router.timerDue(OverlayTimer.of(fired.timer()));
      case Event.Computed computed -> computed(step, computed);
      case Event.Notified notified when notified.message() instanceof OverlayLocalMessage message ->
          notified(step, message);
      case Event.NeighboursChanged changed -> step.put(step.status().with(changed.neighbours()));
      case Event.LeaveRequested _ -> step.maintain(new OverlayInput.LeaveDue());
      case Event.Notified _, Event.LinkMeasured _ -> {}
    }
    deliverToSelf(router);
    if (step.hasUnsentQueries()) {
      step.enterReadyEpoch();
      step.search(new OverlayEvent.PendingQueriesDue());
    }
    deliverToSelf(router);
    return step.finish();
  }

  private static void deliverToSelf(OverlayRouter router) {
    OverlayStep step = router.step();
    for (Message own = step.pollSelfMessage(); own != null; own = step.pollSelfMessage()) {
      router.receive(step.self(), own);
    }
  }

  private static void start(OverlayRouter router, List<PeerId> neighbours) {
    OverlayStep step = router.step();
    step.put(step.status().with(neighbours));
    step.beginEpoch(step.knownEpochs().newest() + 1, /* draws= */ true);
    router.raised(new OverlayEvent.ElectionDue(1, neighbours));
    router.raised(new OverlayEvent.MaintenanceStarted());
  }

  /**
   * The state from before the restart is outdated: the peer abandons its queries and rejoins as a
   * new peer.
   */
  private static void restore(OverlayRouter router, List<PeerId> neighbours) {
    OverlayStep step = router.step();
    step.put(LocalStatus.NEW.with(neighbours));
    if (step.settings().maintenance().enabled()) {
      router.raised(new OverlayEvent.QueriesAbandoned());
      step.forgetEpochs();
      router.raised(new OverlayEvent.MaintenanceStarted());
    }
  }

  private static void computed(OverlayStep step, Event.Computed computed) {
    if (computed.result() instanceof Result.Answered answered
        && answered.answer() instanceof ClusterSignatures.Clustered clustered) {
      if (step.hasEpoch(OverlayTimer.epochOf(computed.ticket()))) {
        step.enterEpoch(OverlayTimer.epochOf(computed.ticket()));
        step.cluster(
            new OverlayInput.ClusteringComputed(
                OverlayTimer.levelOf(computed.ticket()), clustered));
      }
    } else {
      throw new IllegalStateException("expected clusters, got " + computed.result());
    }
  }

  private static void notified(OverlayStep step, OverlayLocalMessage message) {
    OverlayInput input = new OverlayInput.MethodRequest(message);
    switch (message) {
      case OverlayLocalMessage.SignatureUpdated _ -> step.cluster(input);
      case OverlayLocalMessage.Search _ -> {
        step.enterReadyEpoch();
        step.search(input);
      }
      case OverlayLocalMessage.Ready _, OverlayLocalMessage.SearchFinished _ -> {
        // Sent by this machine itself.
      }
    }
  }
}
