package io.kindred.protocol.overlay;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import java.util.List;

/**
 * What one part of the overlay tells another part of the same peer. A part raises an event and does
 * not know which part handles it; {@link EventRouter} does.
 */
sealed interface OverlayEvent {
  /** Events for the formation of zones. */
  sealed interface Formation extends OverlayEvent {}

  /** Events for the clustering of zones. */
  sealed interface Clustering extends OverlayEvent {}

  /** Events for heartbeats, leases, takeover, joining and leaving. */
  sealed interface Membership extends OverlayEvent {}

  /** Events for queries. */
  sealed interface Search extends OverlayEvent {}

  /** A message that was kept can be handled now. */
  record MessageDue(PeerId from, Message message) implements OverlayEvent {}

  /** This peer takes part in the election of a level, among these peers. */
  record ElectionDue(int level, List<PeerId> peers) implements Formation {}

  /** This peer starts a zone. */
  record InitiatorElected(int level) implements Formation {}

  /** This peer has started a zone, which other peers may join now. */
  record ZoneStarted(ZoneRef zone) implements Formation {}

  /** The initiator of another zone was discovered after the level had started. */
  record InitiatorDiscovered(int level, PeerId peer) implements Formation {}

  /** Another peer waits for this peer's zone. */
  record ZoneAwaited(int level, PeerId peer) implements Formation {}

  /** Another zone exists on a level, so this peer's zone is not the root. */
  record OtherZoneFound(int level) implements Formation {}

  /** A message is for a level that this peer no longer takes part in. */
  record MessageEarly(PeerId from, FormationMessage message) implements Formation {}

  /** This peer needs admission to one of these zones. */
  record AdmissionSought(int level, List<ZoneRef> zones) implements Formation {}

  /** This peer belongs to another zone after a split. */
  record ZoneReassigned(LevelState level, ZoneRef zone) implements Formation {}

  /** The zones around this peer have changed. */
  record NeighbourZonesChanged(int level) implements Formation {}

  /** No zone admits the single member of this peer's zone. */
  record MergeRefused(int level) implements Formation {}

  /** This peer's zone is part of another zone now. */
  record MergedInto(int level, ZoneRef zone) implements Formation {}

  /** The clusters of a zone are known: it takes part on the next level. */
  record ZoneClustered(ZoneFormation zone) implements Formation {}

  /** A zone has its members, which can be clustered. */
  record ZoneSettled(ZoneFormation zone) implements Clustering {}

  /** A root zone has to be clustered after all. */
  record RootDemoted(ZoneFormation zone) implements Clustering {}

  /** A zone waits for the input of a member that joined late. */
  record LateMemberAsked(int level) implements Clustering {}

  /** The peer's own signature has changed. */
  record OwnSignatureChanged() implements Clustering {}

  /** Another heartbeat of a zone's leader has passed, in which members may have drifted. */
  record DriftCheckDue(ZoneState zone) implements Clustering {}

  /** A zone was built: from now on it is maintained. */
  record ZoneBuilt(
      ZoneFormation zone, List<ClusterEntry> clusters, List<ClusterDescriptor> rootClusters)
      implements Membership {}

  /** This peer takes part in another epoch. */
  record EpochRequested(long epoch) implements Membership {}

  /** The overlay is damaged in a way that cannot be repaired locally. */
  record RepairImpossible() implements Membership {}

  /** A peer needs to know where it can join. */
  record ContactRequested(PeerId peer) implements Membership {}

  /** This peer has no overlay. */
  record OverlayLost() implements Membership {}

  /** This peer has lost its zone. */
  record PlaceLost() implements Membership {}

  /** This peer gives up all its zones. */
  record ZonesGivenUp() implements Membership {}

  /** This peer is the only member of a zone. */
  record ZoneLonely(ZoneState zone) implements Membership {}

  /** Members of a zone that this peer leads are down or have left. */
  record MembersLost(ZoneState zone, List<PeerId> members) implements Membership {}

  /** The leader of a zone is lost, and this peer is its deputy. */
  record LeaderLost(ZoneState standby, PeerId leader) implements Membership {}

  /** Another peer has taken over this peer's zone in the same term. */
  record TermContested(ZoneState zone) implements Membership {}

  /** The leader of a zone has not begun to renew leases. */
  record LeasesDue(ZoneState zone) implements Membership {}

  /** The leader of a zone renews its own lease. */
  record OwnLeaseDue(ZoneState zone) implements Membership {}

  /** The leader above does not know the present clusters of a zone. */
  record ReportDue(ZoneState zone) implements Membership {}

  /** Members may have missed messages about a zone. */
  record RefreshDue(ZoneState zone) implements Membership {}

  /** The lease on the zone of a level may be another one. */
  record ParentLeaseChanged(int level) implements Membership {}

  /** A zone that this peer leads has other members or clusters. */
  record ZoneRevised(ZoneState before, ZoneState after) implements Membership {}

  /** A zone has no room for a joining peer, and no other zone has. */
  record ZoneOverfull(ZoneState zone) implements Membership {}

  /** This peer leads a part of a divided zone. */
  record PartReceived(ZoneState part) implements Membership {}

  /** A replica knows its parent or the other roots. */
  record WayUpKnown() implements Search {}

  /** A query has reached a root cluster that this peer holds. */
  record RootReached(SearchMessage.QueryAscent query, ClusterReplica root) implements Search {}
}
