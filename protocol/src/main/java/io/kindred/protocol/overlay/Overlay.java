package io.kindred.protocol.overlay;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.clustering.AffinityPropagation;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayTimer.FormationStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The overlay machine of one peer. It starts once it knows its neighbours, notifies the method when
 * it is {@link OverlayLocalMessage.Ready}, and searches for the method.
 */
public final class Overlay implements Machine<OverlayState> {
  /** Counted when an election proof does not belong to the key of its peer or to the epoch. */
  public static final String REFUSED_PROOF = "overlay-refused-proof";

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
    OverlayStep step = new OverlayStep(context, state, event.tick(), EventRouter::route);
    switch (event) {
      case Event.Started started -> start(step, started.neighbours());
      case Event.Restored restored -> restore(step, restored.neighbours());
      case Event.Received received -> receive(step, received.from(), received.message());
      case Event.SendFailed failed when failed.message() instanceof SearchMessage search ->
          new SearchRouter(step).deliveryFailed(failed.to(), search);
      case Event.SendFailed failed ->
          new DeliveryFailures(step).deliveryFailed(failed.to(), failed.message());
      case Event.TimerFired fired -> timerFired(step, OverlayTimer.of(fired.timer()));
      case Event.Computed computed -> computed(step, computed);
      case Event.Notified notified when notified.message() instanceof OverlayLocalMessage message ->
          notified(step, message);
      case Event.NeighboursChanged changed -> step.status = step.status.with(changed.neighbours());
      case Event.LeaveRequested _ -> new Heartbeats(step).leave();
      case Event.Notified _, Event.LinkMeasured _ -> {}
    }
    deliverToSelf(step);
    new QueryProtocol(step).sendPending();
    deliverToSelf(step);
    return step.finish();
  }

  private static void deliverToSelf(OverlayStep step) {
    for (Message own = step.pollSelfMessage(); own != null; own = step.pollSelfMessage()) {
      receive(step, step.self(), own);
    }
  }

  private static void start(OverlayStep step, List<PeerId> neighbours) {
    step.status = step.status.with(neighbours);
    step.beginEpoch(step.newestEpoch() + 1, true);
    new Elections(step).start(1, neighbours);
    new Heartbeats(step).start();
  }

  /**
   * The state from before the restart is outdated: the peer abandons its queries and rejoins as a
   * new peer.
   */
  private static void restore(OverlayStep step, List<PeerId> neighbours) {
    step.status = OverlayState.LocalStatus.NEW.with(neighbours);
    if (!step.settings.maintenance().enabled()) {
      return;
    }
    new QueryProtocol(step).abandonAll();
    step.forgetEpochs();
    new Heartbeats(step).start();
  }

  static void receive(OverlayStep step, PeerId from, Message message) {
    switch (message) {
      case MembershipMessage.RootGossip rootGossip ->
          new Heartbeats(step).rootGossipReceived(rootGossip);
      case MembershipMessage.FindOverlay _ -> new JoinProtocol(step).sendContact(from);
      case MembershipMessage.OverlayContact overlayContact ->
          new JoinProtocol(step).contactReceived(overlayContact);
      case OverlayMessage known -> {
        if (EpochRouter.route(step, from, known)) {
          if (step.senderRoles().accepts(from, known)) {
            dispatch(step, from, known);
          } else {
            step.refuse(known);
          }
        }
      }
      case SearchMessage search -> new SearchRouter(step).receive(from, search);
      default -> step.count("overlay-unknown-message");
    }
  }

  private static void dispatch(OverlayStep step, PeerId from, OverlayMessage message) {
    switch (message) {
      case FormationMessage early when !step.levelState(early.level()).started() ->
          new Elections(step).deferEarly(from, early);
      case OverlayMessage.ScoreOffer offer -> new Elections(step).scoreReceived(from, offer);
      case OverlayMessage.Probe probe -> new FormationMember(step).probeReceived(from, probe);
      case OverlayMessage.ZoneAnnouncement zoneAnnouncement ->
          new FormationMember(step).zoneAnnounced(from, zoneAnnouncement);
      case OverlayMessage.ZoneJoinReply zoneJoinReply ->
          new FormationMember(step).joinAnswered(zoneJoinReply);
      case OverlayMessage.ZoneChanged zoneChanged ->
          new FormationMember(step).zoneChanged(zoneChanged);
      case OverlayMessage.Register register -> new FormationLeader(step).registered(from, register);
      case OverlayMessage.ZoneJoinRequest zoneJoinRequest ->
          new FormationLeader(step).joinRequested(from, zoneJoinRequest);
      case OverlayMessage.NeighbourReport neighbourReport ->
          new FormationLeader(step).neighboursReported(from, neighbourReport);
      case OverlayMessage.ZoneSplit zoneSplit -> new FormationLeader(step).splitReceived(zoneSplit);
      case OverlayMessage.SplitAccepted splitAccepted ->
          new FormationLeader(step).splitAccepted(from, splitAccepted);
      case OverlayMessage.ZoneMerged zoneMerged ->
          new FormationLeader(step).neighbourMerged(from, zoneMerged);
      case OverlayMessage.SignatureProbe probe ->
          new ZoneClustering(step).signatureRequested(from, probe);
      case OverlayMessage.SignatureReply reply -> {
        if (!new Reclustering(step).signatureReceived(from, reply)) {
          new ZoneClustering(step).signatureReceived(from, reply);
        }
      }
      case OverlayMessage.ClusterReport report -> {
        if (!new ZoneClustering(step).clustersReported(from, report)) {
          new ZoneLeader(step).clustersReported(from, report);
        }
      }
      case OverlayMessage.ReplicaAssigned replicaAssigned ->
          new HierarchyUpdates(step).replicaAssigned(from, replicaAssigned);
      case OverlayMessage.HomeClusterAssigned homeClusterAssigned ->
          new HierarchyUpdates(step).homeClusterAssigned(homeClusterAssigned);
      case OverlayMessage.ParentAssigned parentAssigned ->
          new HierarchyUpdates(step).parentAssigned(parentAssigned);
      case OverlayMessage.RootClusters rootClusters ->
          new HierarchyUpdates(step).rootsReceived(rootClusters);
      case OverlayMessage.RootExchange call -> new HierarchyUpdates(step).exchangeRoots(call);
      case OverlayMessage.RootDescriptor root -> new HierarchyUpdates(step).rootReceived(root);
      case OverlayMessage.OverlayBuilt overlayBuilt ->
          new HierarchyUpdates(step).overlayBuilt(overlayBuilt);
      case MembershipMessage membership -> dispatchMembership(step, from, membership);
    }
  }

  private static void dispatchMembership(OverlayStep step, PeerId from, MembershipMessage message) {
    switch (message) {
      case MembershipMessage.Heartbeat heartbeat ->
          new ZoneLeader(step).heartbeatReceived(from, heartbeat);
      case MembershipMessage.LeaseRenewal leaseRenewal ->
          new ZoneFollower(step).leaseRenewed(from, leaseRenewal);
      case MembershipMessage.ReplicateZone replicateZone ->
          new ZoneFollower(step).zoneReplicated(replicateZone);
      case MembershipMessage.TransferLeadership transferLeadership ->
          new ZoneFollower(step).leadershipTransferred(from, transferLeadership);
      case MembershipMessage.Leave leave -> new ZoneFollower(step).memberLeft(from, leave);
      case MembershipMessage.NotLeader notLeader ->
          new ZoneFollower(step).leaderCorrected(from, notLeader);
      case MembershipMessage.ReplicaRemoved replicaRemoved ->
          new ZoneFollower(step).replicaRemoved(replicaRemoved);
      case MembershipMessage.JoinRequest joinRequest ->
          new JoinProtocol(step).routeJoin(joinRequest);
      case MembershipMessage.JoinForward joinForward -> new ZoneLeader(step).admit(joinForward);
      case MembershipMessage.DivideZone divided -> new DivisionProtocol(step).zoneDivided(divided);
      case MembershipMessage.MemberMoved moved -> new DivisionProtocol(step).moved(moved);
      case MembershipMessage.ZoneFull zoneFull -> new JoinProtocol(step).zoneFull(zoneFull);
      case MembershipMessage.SignatureChanged signatureChanged ->
          new Reclustering(step).driftReported(signatureChanged);
      case MembershipMessage.RootGossip _,
          MembershipMessage.FindOverlay _,
          MembershipMessage.OverlayContact _ -> {
        // Handled before a message is routed to its epoch.
      }
    }
  }

  private static void timerFired(OverlayStep step, OverlayTimer timer) {
    switch (timer) {
      case OverlayTimer.HeartbeatDue _ -> new Heartbeats(step).heartbeat();
      case OverlayTimer.SearchTimeout(long number) -> new SearchRouter(step).searchTimedOut(number);
      case OverlayTimer.AnswerTimeout(long number) ->
          new QueryProtocol(step).answerTimedOut(number);
      case OverlayTimer.FormationDue due -> {
        if (step.hasEpoch(due.epoch())) {
          step.enterEpoch(due.epoch());
          // Not started: the peer has meanwhile joined an overlay that others built.
          if (step.levelState(due.level()).started()) {
            formationDue(step, due.step(), due.level());
          }
        }
      }
    }
  }

  private static void formationDue(OverlayStep step, FormationStep due, int level) {
    switch (due) {
      case DECIDE_ELECTION -> new Elections(step).decide(level);
      case PROBE_TIMEOUT -> new FormationMember(step).probeTimedOut(level);
      case REGISTRATION_TIMEOUT -> new FormationLeader(step).registrationTimedOut(level);
      case REPORT_TIMEOUT -> new FormationLeader(step).reportsTimedOut(level);
      case MERGE_RETRY -> new FormationLeader(step).retryMerge(level);
      case COLLECT_TIMEOUT -> new ZoneClustering(step).collectTimedOut(level);
    }
  }

  private static void computed(OverlayStep step, Event.Computed computed) {
    if (computed.result() instanceof Result.Answered answered
        && answered.answer() instanceof ClusterSignatures.Clustered clustered) {
      if (step.hasEpoch(OverlayTimer.epochOf(computed.ticket()))) {
        step.enterEpoch(OverlayTimer.epochOf(computed.ticket()));
        int level = OverlayTimer.levelOf(computed.ticket());
        if (level == Reclustering.TICKET_LEVEL) {
          new Reclustering(step).clusteringFinished(clustered);
        } else {
          new ZoneClustering(step).clusteringFinished(level, clustered);
        }
      }
    } else {
      throw new IllegalStateException("expected clusters, got " + computed.result());
    }
  }

  private static void notified(OverlayStep step, OverlayLocalMessage message) {
    switch (message) {
      case OverlayLocalMessage.SignatureUpdated signatureUpdated ->
          new ZoneClustering(step).signatureUpdated(signatureUpdated);
      case OverlayLocalMessage.Search search -> new QueryProtocol(step).startSearch(search);
      case OverlayLocalMessage.Ready _, OverlayLocalMessage.SearchFinished _ -> {
        // Sent by this machine itself.
      }
    }
  }
}
