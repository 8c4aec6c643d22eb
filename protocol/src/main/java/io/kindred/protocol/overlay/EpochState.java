package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An overlay of one epoch, as a peer knows it. While the next is built the one before still
 * answers, so a peer may have two.
 *
 * @param previousEpoch the epoch whose seed its scores follow from
 * @param startedAt when it began for this peer
 */
public record EpochState(
    Epoch previousEpoch,
    long startedAt,
    FormationState formation,
    HierarchyPosition position,
    MembershipState membership) {
  /** How zones form: by level. {@code moved} names where a zone went that is no more. */
  record FormationState(
      Optional<ElectionScore.ProvenScore> ownScore,
      SortedMap<Integer, LevelState> levels,
      SortedMap<Integer, ZoneFormation> formingZones,
      SortedMap<Integer, ZoneRef> mergedInto) {}

  /**
   * Where the peer stands: clusters that it holds, the one that it belongs to. {@code early} is
   * what it was told of clusters before it was told that it holds them.
   */
  public record HierarchyPosition(
      SortedMap<ClusterId, ClusterReplica> heldReplicas,
      Optional<ClusterReplica.ClusterPointer> homeCluster,
      Optional<Integer> signatureEntries,
      List<OverlayMessage> earlyMessages) {}

  /**
   * How it is kept alive: by level.
   *
   * @param leases zones that this peer is in
   * @param ledZones zones that it leads
   * @param standbyZones zones that it would lead after others
   * @param lastHeartbeats when it last heard of the tenants of a zone that it leads
   * @param reclustering how far the lowest zone that it leads is with being clustered again
   * @param root tells one hierarchy from another
   */
  record MembershipState(
      SortedMap<Integer, ZoneLease> leases,
      SortedMap<Integer, ZoneState> ledZones,
      SortedMap<Integer, ZoneState> standbyZones,
      SortedMap<Integer, SortedMap<PeerId, Long>> lastHeartbeats,
      Optional<ReclusteringState> reclustering,
      Optional<RootId> root,
      RootHeartbeat rootHeartbeat) {
    MembershipState with(ZoneLease next) {
      return new MembershipState(
          Copies.with(leases, next.level(), next),
          ledZones,
          standbyZones,
          lastHeartbeats,
          reclustering,
          root,
          rootHeartbeat);
    }

    /** Who leads a zone needs no copy of it. */
    MembershipState withLedZone(ZoneState next) {
      return new MembershipState(
          leases,
          Copies.with(ledZones, next.level(), next),
          Copies.without(standbyZones, next.level()),
          lastHeartbeats,
          reclustering,
          root,
          rootHeartbeat);
    }

    MembershipState withStandbyZone(ZoneState next) {
      return new MembershipState(
          leases,
          ledZones,
          Copies.with(standbyZones, next.level(), next),
          lastHeartbeats,
          reclustering,
          root,
          rootHeartbeat);
    }

    MembershipState without(int level) {
      return new MembershipState(
          Copies.without(leases, level),
          Copies.without(ledZones, level),
          Copies.without(standbyZones, level),
          lastHeartbeats,
          level == 1 ? Optional.empty() : reclustering,
          root,
          rootHeartbeat);
    }

    MembershipState withHeartbeats(int level, SortedMap<PeerId, Long> next) {
      return new MembershipState(
          leases,
          ledZones,
          standbyZones,
          Copies.with(lastHeartbeats, level, next),
          reclustering,
          root,
          rootHeartbeat);
    }

    MembershipState withReclustering(Optional<ReclusteringState> next) {
      return new MembershipState(
          leases, ledZones, standbyZones, lastHeartbeats, next, root, rootHeartbeat);
    }

    MembershipState withRoot(RootId next) {
      return new MembershipState(
          leases,
          ledZones,
          standbyZones,
          lastHeartbeats,
          reclustering,
          Optional.of(next),
          rootHeartbeat);
    }

    MembershipState with(RootHeartbeat next) {
      return new MembershipState(
          leases, ledZones, standbyZones, lastHeartbeats, reclustering, root, next);
    }
  }

  /** The newest sign of life from the top, and when it came. */
  record RootHeartbeat(long sequence, long tick) {}

  static EpochState empty(Epoch before, long since) {
    return new EpochState(
        before,
        since,
        new FormationState(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
        new HierarchyPosition(new TreeMap<>(), Optional.empty(), Optional.empty(), List.of()),
        new MembershipState(
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            new RootHeartbeat(0, since)));
  }

  long epoch() {
    return previousEpoch.number() + 1;
  }

  /** Whether this peer belongs to a cluster of it and was told that all is built. */
  boolean isReady() {
    return position.homeCluster().isPresent() && position.signatureEntries().isPresent();
  }

  EpochState with(FormationState next) {
    return new EpochState(previousEpoch, startedAt, next, position, membership);
  }

  EpochState with(HierarchyPosition next) {
    return new EpochState(previousEpoch, startedAt, formation, next, membership);
  }

  EpochState with(MembershipState next) {
    return new EpochState(previousEpoch, startedAt, formation, position, next);
  }
}
