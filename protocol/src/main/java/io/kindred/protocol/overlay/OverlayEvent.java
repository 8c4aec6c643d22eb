package io.kindred.protocol.overlay;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage.OverlayContact;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What one sub-protocol of the overlay tells another one of the same peer. A sub-protocol raises an
 * event in a step, and the event is handled when that step has ended. The type of an event says
 * which sub-protocol handles it.
 */
public sealed interface OverlayEvent extends OverlayInput {
  /** Events that select or begin an epoch, or repeat a message. */
  sealed interface Routing extends OverlayEvent {}

  /** Events for the formation of zones. */
  sealed interface Formation extends OverlayEvent {}

  /** Events for the clustering of zones and the replicas of clusters. */
  sealed interface Clustering extends OverlayEvent {}

  /** Events for heartbeats, leases, takeover, joining and leaving. */
  sealed interface Membership extends OverlayEvent {}

  /** Events for queries. */
  sealed interface Search extends OverlayEvent {}

  /** A message that was kept can be handled now. */
  record MessageDue(PeerId from, Message message) implements Routing {}

  /** This peer takes part in another epoch, from its election on. */
  record EpochRequested(long epoch) implements Routing {}

  /** This peer joins the overlay of an epoch that others have built. */
  record EpochJoined(OverlayContact contact) implements Routing {}

  /** This peer takes part in the election of a level, among these peers. */
  record ElectionDue(int level, List<PeerId> peers) implements Formation {}

  /** The zones around this peer may have changed. */
  record NeighbourZonesChanged(int level) implements Formation {}

  /** Some members had to be asked for their input again. */
  record InputsMissing(int level) implements Formation {}

  /** A zone is without members that did not send their input. */
  record MembersLeftOut(int level, List<PeerId> leftOut) implements Formation {}

  /** The clustering of a zone is computed, without members of another model. */
  record ClusteringStarted(int level, List<PeerId> leftOut) implements Formation {}

  /** A zone is the only one of its level: the clusters of its members are the roots. */
  record RootDeclared(int level, List<PeerId> leftOut) implements Formation {}

  /** The clusters of a zone are known: it takes part on the next level. */
  record ZoneClustered(int level) implements Formation {}

  /** This peer no longer takes part in forming zones. */
  record FormationAbandoned() implements Formation {}

  /** A zone has its members, which can be clustered. */
  record ZoneSettled(int level) implements Clustering {}

  /** A root zone has to be clustered after all. */
  record RootDemoted(int level) implements Clustering {}

  /** A zone waits for the input of a member that joined late. */
  record LateMemberAsked(int level) implements Clustering {}

  /** The clusters of a zone can be reported to the zone above. */
  record ZonePublished(int level) implements Clustering {}

  /** This peer sends the descriptor of a root cluster to the replicas of the others. */
  record RootDescriptorDue(OverlayMessage.RootExchange exchange) implements Clustering {}

  /** Another heartbeat of a zone's leader has passed, in which members may have drifted. */
  record DriftCheckDue(ZoneState zone) implements Clustering {}

  /** This peer is placed by its present signature. */
  record SignaturePlaced() implements Clustering {}

  /** This peer has left its lowest zone, or leads it no longer. */
  record LowestZoneLeft() implements Clustering {}

  /** This peer holds no replicas any more. */
  record ReplicasGivenUp() implements Clustering {}

  /** Replicas that were not refreshed since a tick have been assigned to other peers. */
  record ReplicaCheckDue(long oldestTick) implements Clustering {}

  /** A zone was built: from now on it is maintained. */
  record ZoneBuilt(
      ZoneId zone,
      SortedMap<PeerId, MemberEntry> members,
      List<ClusterEntry> clusters,
      List<ClusterDescriptor> rootClusters,
      Optional<ZoneId> parentZone)
      implements Membership {}

  /** The zone above a zone that this peer leads is known. */
  record ParentZoneKnown(ZoneId parent) implements Membership {}

  /** A zone that this peer leads has other members or clusters. */
  record ZoneRevised(ZoneState before, ZoneState after) implements Membership {}

  /** A peer needs to know where it can join. */
  record ContactRequested(PeerId peer) implements Membership {}

  /** This peer has begun an epoch and takes part in its election. */
  record EpochBegun() implements Membership {}

  /** This peer has begun the epoch of a contact and joins through it. */
  record ContactAccepted(OverlayContact contact) implements Membership {}

  /** This peer has started or restarted. */
  record MaintenanceStarted() implements Membership {}

  /** The lowest zone is checked; the zones above are next. */
  record UpperZonesDue() implements Membership {}

  /** This peer tells its neighbours its root. */
  record RootGossipDue() implements Membership {}

  /** A replica knows its parent or the other roots. */
  record WayUpKnown() implements Search {}

  /** This peer's signature has changed; the similarity is that of the last one. */
  record SignatureReplaced(double similarity) implements Search {}

  /** Queries that waited for a home cluster may be sent. */
  record PendingQueriesDue() implements Search {}

  /** This peer has restarted: all queries end. */
  record QueriesAbandoned() implements Search {}
}
