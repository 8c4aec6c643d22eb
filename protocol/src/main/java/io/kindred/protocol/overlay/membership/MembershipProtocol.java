package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.StepOutcome;

/**
 * The third sub-protocol of the overlay: leaders, members and deputies keep built zones alive, and
 * peers join and leave them. A pure function of its state, an input and what it may read.
 */
public final class MembershipProtocol {
  private MembershipProtocol() {}

  public static StepOutcome<PeerMembership> step(
      PeerMembership state, OverlayInput input, MembershipView view) {
    MembershipStep step = new MembershipStep(state, view, MembershipProtocol::handle);
    switch (input) {
      case OverlayEvent.Membership event -> raised(step, event);
      case OverlayInput.MessageReceived(PeerId from, MembershipMessage message) ->
          received(step, from, message);
      case OverlayInput.MessageReceived(PeerId _, OverlayMessage.HomeClusterAssigned assigned) ->
          new ZoneFollower(step).homeClusterAssigned(assigned);
      case OverlayInput.MessageReceived(PeerId _, OverlayMessage.OverlayBuilt built) ->
          new ZoneFollower(step).overlayBuilt(built);
      case OverlayInput.MessageReceived(PeerId from, OverlayMessage.ClusterReport report) ->
          new ZoneLeader(step).clustersReported(from, report);
      case OverlayInput.MessageUndelivered(PeerId to, Message message) ->
          new DeliveryFailures(step).deliveryFailed(to, message);
      case OverlayInput.TimerDue(OverlayTimer.HeartbeatDue _) -> new Heartbeats(step).heartbeat();
      case OverlayInput.LeaveDue _ -> new Heartbeats(step).leave();
      default -> throw new IllegalArgumentException("membership does not handle " + input);
    }
    return step.finish();
  }

  private static void received(MembershipStep step, PeerId from, MembershipMessage message) {
    ZoneLeader leader = new ZoneLeader(step);
    ZoneFollower follower = new ZoneFollower(step);
    JoinProtocol joining = new JoinProtocol(step);
    switch (message) {
      case MembershipMessage.RootGossip gossip -> new Heartbeats(step).rootGossipReceived(gossip);
      case MembershipMessage.FindOverlay _ -> joining.sendContact(from);
      case MembershipMessage.OverlayContact contact -> joining.contactReceived(contact);
      case MembershipMessage.Heartbeat heartbeat -> leader.heartbeatReceived(from, heartbeat);
      case MembershipMessage.LeaseRenewal renewal -> follower.leaseRenewed(from, renewal);
      case MembershipMessage.ReplicateZone replicated -> follower.zoneReplicated(replicated);
      case MembershipMessage.TransferLeadership transfer ->
          follower.leadershipTransferred(from, transfer);
      case MembershipMessage.Leave leave -> follower.memberLeft(from, leave);
      case MembershipMessage.NotLeader notLeader -> follower.leaderCorrected(from, notLeader);
      case MembershipMessage.JoinRequest request -> joining.routeJoin(request);
      case MembershipMessage.JoinForward forward -> leader.admit(forward);
      case MembershipMessage.DivideZone divided -> new DivisionProtocol(step).zoneDivided(divided);
      case MembershipMessage.MemberMoved moved -> new DivisionProtocol(step).moved(moved);
      case MembershipMessage.ZoneFull zoneFull -> joining.zoneFull(zoneFull);
      case MembershipMessage.SignatureChanged _, MembershipMessage.ReplicaRemoved _ ->
          throw new IllegalArgumentException("clustering handles " + message);
    }
  }

  private static void raised(MembershipStep step, OverlayEvent.Membership event) {
    Heartbeats heartbeats = new Heartbeats(step);
    JoinProtocol joining = new JoinProtocol(step);
    ZoneLeader leader = new ZoneLeader(step);
    switch (event) {
      case OverlayEvent.ZoneBuilt built -> leader.createZone(built);
      case OverlayEvent.ParentZoneKnown known ->
          new ZoneFollower(step).parentZoneKnown(known.parent());
      case OverlayEvent.ZoneRevised revised ->
          leader.applyChange(revised.before(), revised.after());
      case OverlayEvent.ContactRequested requested -> joining.sendContact(requested.peer());
      case OverlayEvent.EpochBegun _ -> heartbeats.epochBegun();
      case OverlayEvent.ContactAccepted accepted -> joining.requestJoin(accepted.contact());
      case OverlayEvent.MaintenanceStarted _ -> heartbeats.start();
      case OverlayEvent.UpperZonesDue _ -> heartbeats.maintainUpperZones();
      case OverlayEvent.RootGossipDue _ -> heartbeats.gossipRoot();
    }
  }

  private static void handle(MembershipStep step, MembershipEvent event) {
    Heartbeats heartbeats = new Heartbeats(step);
    JoinProtocol joining = new JoinProtocol(step);
    ZoneLeader leader = new ZoneLeader(step);
    switch (event) {
      case MembershipEvent.RepairImpossible _ -> heartbeats.forceNewEpoch();
      case MembershipEvent.OverlayLost _ -> joining.findOverlay();
      case MembershipEvent.PlaceLost _ -> joining.rejoin();
      case MembershipEvent.ZonesGivenUp _ -> heartbeats.leaveZones();
      case MembershipEvent.ZoneLonely lonely -> joining.joinAnotherZone(lonely.zone());
      case MembershipEvent.MembersLost lost -> leader.removeMembers(lost.zone(), lost.members());
      case MembershipEvent.LeaderLost lost -> leader.takeOver(lost.standby(), lost.leader());
      case MembershipEvent.TermContested contested -> leader.claimNewTerm(contested.zone());
      case MembershipEvent.LeasesDue due -> leader.startLeases(due.zone());
      case MembershipEvent.OwnLeaseDue due -> leader.renewOwnLease(due.zone());
      case MembershipEvent.ReportDue due -> leader.reportClusters(due.zone());
      case MembershipEvent.RefreshDue due -> leader.republish(due.zone());
      case MembershipEvent.ParentLeaseChanged changed ->
          leader.propagateParentLease(changed.level());
      case MembershipEvent.ZoneDivided divided ->
          leader.applyChange(divided.before(), divided.after());
      case MembershipEvent.ZoneOverfull full -> new DivisionProtocol(step).divide(full.zone());
      case MembershipEvent.PartReceived received -> leader.leadPart(received.part());
    }
  }
}
