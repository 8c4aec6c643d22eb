package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's state of membership in one epoch, by level.
 *
 * @param leases zones that this peer is a member of
 * @param ledZones zones that this peer leads
 * @param standbyZones copies of zones that this peer would take over as a deputy
 * @param lastHeartbeats ticks of the members' last heartbeats, in zones that this peer leads
 * @param homeCluster the peer's cluster on the lowest level
 * @param signatureEntries entries of a signature; absent until the overlay is built
 * @param root identifies the hierarchy, to tell it from another one
 */
@Buildable
public record MembershipState(
    SortedMap<Integer, ZoneLease> leases,
    SortedMap<Integer, ZoneState> ledZones,
    SortedMap<Integer, ZoneState> standbyZones,
    SortedMap<Integer, SortedMap<PeerId, Long>> lastHeartbeats,
    Optional<ClusterReplica.ClusterPointer> homeCluster,
    Optional<Integer> signatureEntries,
    Optional<RootId> root,
    RootHeartbeat rootHeartbeat) {
  /** The newest heartbeat of the root, and the tick at which it arrived. */
  public record RootHeartbeat(long sequence, long tick) {}

  /** The state with which an epoch begins. */
  public static MembershipState initial(long tick) {
    return new MembershipState(
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new RootHeartbeat(0, tick));
  }

  /** Whether this peer has a home cluster and knows that the overlay is built. */
  public boolean isReady() {
    return homeCluster.isPresent() && signatureEntries.isPresent();
  }

  /** The state with this lease. */
  public MembershipState with(ZoneLease next) {
    return MembershipStateBuilder.from(this)
        .leases(Copies.with(leases, next.level(), next))
        .build();
  }

  /** The leader of a zone needs no standby copy of it. */
  public MembershipState withLedZone(ZoneState next) {
    return MembershipStateBuilder.from(this)
        .ledZones(Copies.with(ledZones, next.level(), next))
        .standbyZones(Copies.without(standbyZones, next.level()))
        .build();
  }

  /** The state with this copy of a zone. */
  public MembershipState withStandbyZone(ZoneState next) {
    return MembershipStateBuilder.from(this)
        .standbyZones(Copies.with(standbyZones, next.level(), next))
        .build();
  }

  /** Without the lease, the led zone and the standby zone of a level. */
  MembershipState without(int level) {
    return MembershipStateBuilder.from(this)
        .leases(Copies.without(leases, level))
        .ledZones(Copies.without(ledZones, level))
        .standbyZones(Copies.without(standbyZones, level))
        .build();
  }

  MembershipState withHeartbeats(int level, SortedMap<PeerId, Long> next) {
    return MembershipStateBuilder.from(this)
        .lastHeartbeats(Copies.with(lastHeartbeats, level, next))
        .build();
  }

  /** The state with this home cluster. */
  public MembershipState withHome(Optional<ClusterReplica.ClusterPointer> next) {
    return MembershipStateBuilder.from(this).homeCluster(next).build();
  }

  /** The state of a peer that knows that the overlay is built. */
  public MembershipState withEntries(int entries) {
    return MembershipStateBuilder.from(this).signatureEntries(Optional.of(entries)).build();
  }

  /** The state with this root. */
  public MembershipState withRoot(RootId next) {
    return MembershipStateBuilder.from(this).root(Optional.of(next)).build();
  }

  MembershipState with(RootHeartbeat next) {
    return MembershipStateBuilder.from(this).rootHeartbeat(next).build();
  }
}
