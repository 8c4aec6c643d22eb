package io.kindred.protocol.overlay;

/** Brings an internal event to the part of the overlay that handles it, within the same step. */
final class EventRouter {
  private EventRouter() {}

  static void route(OverlayStep step, OverlayEvent event) {
    switch (event) {
      case OverlayEvent.MessageDue due -> Overlay.receive(step, due.from(), due.message());
      case OverlayEvent.Formation formation -> formation(step, formation);
      case OverlayEvent.Clustering clustering -> clustering(step, clustering);
      case OverlayEvent.Membership membership -> membership(step, membership);
      case OverlayEvent.Search search -> search(step, search);
    }
  }

  private static void formation(OverlayStep step, OverlayEvent.Formation event) {
    Elections elections = new Elections(step);
    FormationMember member = new FormationMember(step);
    FormationLeader leader = new FormationLeader(step);
    switch (event) {
      case OverlayEvent.ElectionDue due -> elections.start(due.level(), due.peers());
      case OverlayEvent.InitiatorDiscovered found -> elections.addLink(found.level(), found.peer());
      case OverlayEvent.MessageEarly early -> elections.deferEarly(early.from(), early.message());
      case OverlayEvent.InitiatorElected elected -> member.startZone(elected.level());
      case OverlayEvent.ZoneAwaited awaited -> member.announceTo(awaited.level(), awaited.peer());
      case OverlayEvent.AdmissionSought sought ->
          member.requestJoin(sought.level(), sought.zones());
      case OverlayEvent.ZoneReassigned moved -> member.reassign(moved.level(), moved.zone(), 0);
      case OverlayEvent.NeighbourZonesChanged changed -> member.reportNeighbours(changed.level());
      case OverlayEvent.ZoneStarted started -> leader.start(started.zone());
      case OverlayEvent.OtherZoneFound found -> leader.demoteRoot(found.level());
      case OverlayEvent.MergeRefused refused -> leader.mergeRefused(refused.level());
      case OverlayEvent.MergedInto merged -> leader.mergedInto(merged.level(), merged.zone());
      case OverlayEvent.ZoneClustered clustered -> leader.joinNextLevel(clustered.zone());
    }
  }

  private static void clustering(OverlayStep step, OverlayEvent.Clustering event) {
    ZoneClustering clustering = new ZoneClustering(step);
    Reclustering reclustering = new Reclustering(step);
    switch (event) {
      case OverlayEvent.ZoneSettled settled -> clustering.collectInputs(settled.zone());
      case OverlayEvent.RootDemoted demoted -> clustering.startClustering(demoted.zone());
      case OverlayEvent.LateMemberAsked asked -> clustering.startCollectTimer(asked.level());
      case OverlayEvent.OwnSignatureChanged _ -> reclustering.signatureUpdated();
      case OverlayEvent.DriftCheckDue due -> reclustering.advance(due.zone());
    }
  }

  private static void membership(OverlayStep step, OverlayEvent.Membership event) {
    Heartbeats heartbeats = new Heartbeats(step);
    JoinProtocol joining = new JoinProtocol(step);
    ZoneLeader leader = new ZoneLeader(step);
    switch (event) {
      case OverlayEvent.EpochRequested requested -> heartbeats.beginEpoch(requested.epoch());
      case OverlayEvent.RepairImpossible _ -> heartbeats.forceNewEpoch();
      case OverlayEvent.ZonesGivenUp _ -> heartbeats.leaveZones();
      case OverlayEvent.ContactRequested requested -> joining.sendContact(requested.peer());
      case OverlayEvent.OverlayLost _ -> joining.findOverlay();
      case OverlayEvent.PlaceLost _ -> joining.rejoin();
      case OverlayEvent.ZoneLonely lonely -> joining.joinAnotherZone(lonely.zone());
      case OverlayEvent.ZoneBuilt built ->
          leader.createZone(built.zone(), built.clusters(), built.rootClusters());
      case OverlayEvent.MembersLost lost -> leader.removeMembers(lost.zone(), lost.members());
      case OverlayEvent.LeaderLost lost -> leader.takeOver(lost.standby(), lost.leader());
      case OverlayEvent.TermContested contested -> leader.claimNewTerm(contested.zone());
      case OverlayEvent.LeasesDue due -> leader.startLeases(due.zone());
      case OverlayEvent.OwnLeaseDue due -> leader.renewOwnLease(due.zone());
      case OverlayEvent.ReportDue due -> leader.reportClusters(due.zone());
      case OverlayEvent.RefreshDue due -> leader.republish(due.zone());
      case OverlayEvent.ParentLeaseChanged changed -> leader.propagateParentLease(changed.level());
      case OverlayEvent.ZoneRevised revised ->
          leader.applyChange(revised.before(), revised.after());
      case OverlayEvent.PartReceived received -> leader.leadPart(received.part());
      case OverlayEvent.ZoneOverfull overfull -> new DivisionProtocol(step).divide(overfull.zone());
    }
  }

  private static void search(OverlayStep step, OverlayEvent.Search event) {
    switch (event) {
      case OverlayEvent.WayUpKnown _ -> new QueryProtocol(step).resumeDeferred();
      case OverlayEvent.RootReached reached ->
          new RootSearches(step).start(reached.query(), reached.root());
    }
  }
}
