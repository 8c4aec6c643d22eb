package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
import java.util.List;

/**
 * The first sub-protocol of the overlay: peers elect initiators, and form zones around them. A pure
 * function of its state, an input and what it may read.
 */
public final class FormationProtocol {
  /** Messages kept for levels that have not started: a few from each nearby zone, of hundreds. */
  public static final int MAX_EARLY_MESSAGES = 8192;

  private FormationProtocol() {}

  public static StepOutcome<FormationState> step(
      FormationState state, OverlayInput input, StepView view) {
    FormationStep step = new FormationStep(state, view, FormationProtocol::handle);
    switch (input) {
      case OverlayEvent.Formation event -> raised(step, event);
      case OverlayInput.MessageReceived(PeerId from, Message message)
          when message instanceof OverlayMessage known ->
          received(step, from, known);
      case OverlayInput.TimerDue(OverlayTimer.FormationDue due) ->
          timerDue(step, due.due(), due.level());
      default -> throw new IllegalArgumentException("zone formation does not handle " + input);
    }
    return step.finish();
  }

  private static void received(FormationStep step, PeerId from, OverlayMessage message) {
    FormationLeader leader = new FormationLeader(step);
    switch (message) {
      case FormationMessage early when !step.levelState(early.level()).started() ->
          new Elections(step).deferEarly(from, early);
      case OverlayMessage.ZoneMerged merged -> leader.neighbourMerged(from, merged);
      case FormationMessage known -> received(step, leader, from, known);
      default -> throw new IllegalArgumentException("zone formation does not handle " + message);
    }
  }

  private static void received(
      FormationStep step, FormationLeader leader, PeerId from, FormationMessage message) {
    FormationMember member = new FormationMember(step);
    switch (message) {
      case OverlayMessage.ScoreOffer offer -> new Elections(step).scoreReceived(from, offer);
      case OverlayMessage.Probe probe -> member.probeReceived(from, probe);
      case OverlayMessage.ZoneAnnouncement announcement -> member.zoneAnnounced(from, announcement);
      case OverlayMessage.ZoneJoinReply reply -> member.joinAnswered(reply);
      case OverlayMessage.ZoneChanged changed -> member.zoneChanged(changed);
      case OverlayMessage.Register register -> leader.registered(from, register);
      case OverlayMessage.ZoneJoinRequest request -> leader.joinRequested(from, request);
      case OverlayMessage.NeighbourReport report -> leader.neighboursReported(from, report);
      case OverlayMessage.ZoneSplit split -> leader.splitReceived(split);
      case OverlayMessage.SplitAccepted accepted -> leader.splitAccepted(from, accepted);
    }
  }

  private static void timerDue(FormationStep step, OverlayTimer.FormationTimer due, int level) {
    FormationLeader leader = new FormationLeader(step);
    // Not started: the peer has meanwhile joined an overlay that others built.
    if (!step.levelState(level).started()) {
      return;
    }
    switch (due) {
      case DECIDE_ELECTION -> new Elections(step).decide(level);
      case PROBE_TIMEOUT -> new FormationMember(step).probeTimedOut(level);
      case REGISTRATION_TIMEOUT -> leader.registrationTimedOut(level);
      case REPORT_TIMEOUT -> leader.reportsTimedOut(level);
      case MERGE_RETRY -> leader.retryMerge(level);
      case COLLECT_TIMEOUT ->
          throw new IllegalArgumentException("zone formation collects no inputs");
    }
  }

  private static void raised(FormationStep step, OverlayEvent.Formation event) {
    switch (event) {
      case OverlayEvent.ElectionDue due -> new Elections(step).start(due.level(), due.peers());
      case OverlayEvent.NeighbourZonesChanged changed ->
          new FormationMember(step).reportNeighbours(changed.level());
      case OverlayEvent.InputsMissing missing ->
          advance(step, missing.level(), Stage.COLLECTING_AGAIN, List.of());
      case OverlayEvent.MembersLeftOut left -> leaveOut(step, left.level(), left.leftOut());
      case OverlayEvent.ClusteringStarted started ->
          advance(step, started.level(), Stage.CLUSTERING, started.leftOut());
      case OverlayEvent.RootDeclared declared ->
          advance(step, declared.level(), Stage.ROOT, declared.leftOut());
      case OverlayEvent.ZoneClustered clustered ->
          new FormationLeader(step).zoneClustered(clustered.level());
      case OverlayEvent.FormationAbandoned _ -> step.put(step.state().abandon());
    }
  }

  private static void leaveOut(FormationStep step, int level, List<PeerId> leftOut) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null) {
      step.put(formation.without(leftOut));
    }
  }

  private static void advance(FormationStep step, int level, Stage stage, List<PeerId> leftOut) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null) {
      step.put(formation.without(leftOut).with(stage));
    }
  }

  private static void handle(FormationStep step, FormationEvent event) {
    Elections elections = new Elections(step);
    FormationMember member = new FormationMember(step);
    FormationLeader leader = new FormationLeader(step);
    switch (event) {
      case FormationEvent.InitiatorElected elected -> member.startZone(elected.level());
      case FormationEvent.ZoneStarted started -> leader.start(started.zone());
      case FormationEvent.InitiatorDiscovered found ->
          elections.addLink(found.level(), found.peer());
      case FormationEvent.ZoneAwaited awaited -> member.announceTo(awaited.level(), awaited.peer());
      case FormationEvent.OtherZoneFound found -> leader.demoteRoot(found.level());
      case FormationEvent.MessageEarly early -> elections.deferEarly(early.from(), early.message());
      case FormationEvent.AdmissionSought sought ->
          member.requestJoin(sought.level(), sought.zones());
      case FormationEvent.ZoneReassigned moved -> member.reassign(moved.level(), moved.zone(), 0);
      case FormationEvent.NeighboursChanged changed -> member.reportNeighbours(changed.level());
      case FormationEvent.MergeRefused refused -> leader.mergeRefused(refused.level());
      case FormationEvent.MergedInto merged -> leader.mergedInto(merged.level(), merged.zone());
    }
  }
}
