package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's state in the overlay of one epoch. While the next overlay is built, the previous one
 * still answers queries, so a peer may have two.
 *
 * @param previousEpoch the epoch whose seed the scores of this epoch follow from
 * @param startedAt tick at which this peer began the epoch
 */
@Buildable
public record EpochState(
    Epoch previousEpoch,
    long startedAt,
    FormationState formation,
    HierarchyPosition position,
    MembershipState membership) {
  /**
   * State of zone formation, by level. {@code mergedInto} names the zone that a dissolved zone of
   * this peer was merged into.
   */
  @Buildable
  record FormationState(
      Optional<ElectionScore.ProvenScore> ownScore,
      SortedMap<Integer, LevelState> levels,
      SortedMap<Integer, ZoneFormation> formingZones,
      SortedMap<Integer, ZoneRef> mergedInto) {}

  /**
   * The peer's position in the hierarchy: the replicas that it holds and its home cluster. {@code
   * earlyMessages} concern clusters whose replicas have not been assigned to this peer yet.
   */
  @Buildable
  public record HierarchyPosition(
      SortedMap<ClusterId, ClusterReplica> heldReplicas,
      Optional<ClusterReplica.ClusterPointer> homeCluster,
      Optional<Integer> signatureEntries,
      List<OverlayMessage> earlyMessages) {}

  /**
   * State of overlay maintenance, by level.
   *
   * @param leases zones that this peer is a member of
   * @param ledZones zones that this peer leads
   * @param standbyZones copies of zones that this peer would take over as a deputy
   * @param lastHeartbeats ticks of the members' last heartbeats, in zones that this peer leads
   * @param reclustering progress of re-clustering the lowest zone that this peer leads
   * @param root identifies the hierarchy, to tell it from another one
   */
  @Buildable
  record MembershipState(
      SortedMap<Integer, ZoneLease> leases,
      SortedMap<Integer, ZoneState> ledZones,
      SortedMap<Integer, ZoneState> standbyZones,
      SortedMap<Integer, SortedMap<PeerId, Long>> lastHeartbeats,
      Optional<ReclusteringState> reclustering,
      Optional<RootId> root,
      RootHeartbeat rootHeartbeat) {
    MembershipState with(ZoneLease next) {
      return MembershipStateBuilder.from(this)
          .leases(Copies.with(leases, next.level(), next))
          .build();
    }

    /** The leader of a zone needs no standby copy of it. */
    MembershipState withLedZone(ZoneState next) {
      return MembershipStateBuilder.from(this)
          .ledZones(Copies.with(ledZones, next.level(), next))
          .standbyZones(Copies.without(standbyZones, next.level()))
          .build();
    }

    MembershipState withStandbyZone(ZoneState next) {
      return MembershipStateBuilder.from(this)
          .standbyZones(Copies.with(standbyZones, next.level(), next))
          .build();
    }

    MembershipState without(int level) {
      return MembershipStateBuilder.from(this)
          .leases(Copies.without(leases, level))
          .ledZones(Copies.without(ledZones, level))
          .standbyZones(Copies.without(standbyZones, level))
          .reclustering(level == 1 ? Optional.empty() : reclustering)
          .build();
    }

    MembershipState withHeartbeats(int level, SortedMap<PeerId, Long> next) {
      return MembershipStateBuilder.from(this)
          .lastHeartbeats(Copies.with(lastHeartbeats, level, next))
          .build();
    }

    MembershipState withReclustering(Optional<ReclusteringState> next) {
      return MembershipStateBuilder.from(this).reclustering(next).build();
    }

    MembershipState withRoot(RootId next) {
      return MembershipStateBuilder.from(this).root(Optional.of(next)).build();
    }

    MembershipState with(RootHeartbeat next) {
      return MembershipStateBuilder.from(this).rootHeartbeat(next).build();
    }
  }

  /** The newest heartbeat of the root, and the tick at which it arrived. */
  record RootHeartbeat(long sequence, long tick) {}

  static EpochState empty(Epoch previousEpoch, long startedAt) {
    return new EpochState(
        previousEpoch,
        startedAt,
        new FormationState(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
        new HierarchyPosition(new TreeMap<>(), Optional.empty(), Optional.empty(), List.of()),
        new MembershipState(
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            new RootHeartbeat(0, startedAt)));
  }

  long epoch() {
    return previousEpoch.number() + 1;
  }

  /** Whether this peer has a home cluster and knows that the overlay is built. */
  boolean isReady() {
    return position.homeCluster().isPresent() && position.signatureEntries().isPresent();
  }

  EpochState with(FormationState next) {
    return EpochStateBuilder.from(this).formation(next).build();
  }

  EpochState with(HierarchyPosition next) {
    return EpochStateBuilder.from(this).position(next).build();
  }

  EpochState with(MembershipState next) {
    return EpochStateBuilder.from(this).membership(next).build();
  }
}
