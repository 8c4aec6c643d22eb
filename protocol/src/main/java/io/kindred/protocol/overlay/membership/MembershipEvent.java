package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.ZoneState;
import java.util.List;

/** What heartbeats, leaders, members and joining tell each other within a peer. */
sealed interface MembershipEvent {
  /** The overlay is damaged in a way that cannot be repaired locally. */
  record RepairImpossible() implements MembershipEvent {}

  /** This peer has no overlay. */
  record OverlayLost() implements MembershipEvent {}

  /** This peer has lost its zone. */
  record PlaceLost() implements MembershipEvent {}

  /** This peer gives up all its zones. */
  record ZonesGivenUp() implements MembershipEvent {}

  /** This peer is the only member of a zone. */
  record ZoneLonely(ZoneState zone) implements MembershipEvent {}

  /** Members of a zone that this peer leads are down or have left. */
  record MembersLost(ZoneState zone, List<PeerId> members) implements MembershipEvent {}

  /** The leader of a zone is lost, and this peer is its deputy. */
  record LeaderLost(ZoneState standby, PeerId leader) implements MembershipEvent {}

  /** Another peer has taken over this peer's zone in the same term. */
  record TermContested(ZoneState zone) implements MembershipEvent {}

  /** The leader of a zone has not begun to renew leases. */
  record LeasesDue(ZoneState zone) implements MembershipEvent {}

  /** The leader of a zone renews its own lease. */
  record OwnLeaseDue(ZoneState zone) implements MembershipEvent {}

  /** The leader above does not know the present clusters of a zone. */
  record ReportDue(ZoneState zone) implements MembershipEvent {}

  /** Members may have missed messages about a zone. */
  record RefreshDue(ZoneState zone) implements MembershipEvent {}

  /** The lease on the zone of a level may be another one. */
  record ParentLeaseChanged(int level) implements MembershipEvent {}

  /** A zone that this peer leads has kept a part of its members. */
  record ZoneDivided(ZoneState before, ZoneState after) implements MembershipEvent {}

  /** A zone has no room for a joining peer, and no other zone has. */
  record ZoneOverfull(ZoneState zone) implements MembershipEvent {}

  /** This peer leads a part of a divided zone. */
  record PartReceived(ZoneState part) implements MembershipEvent {}
}
