package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A built zone as its leader maintains it and its deputies replicate it: members, clusters and
 * parent zone. A takeover needs nothing else (SemanticDFL, section 3.7). The zone keeps the name of
 * its initiator; its leader may change.
 *
 * @param version grows with every change; its upper half is the term, which grows with every leader
 * @param root whether the zone declared itself the only one of its level: then it has no clusters
 *     of its own, and {@code rootClusters} are the roots of the hierarchy
 */
@Buildable
record ZoneState(
    ZoneId zone,
    long version,
    boolean root,
    SortedMap<PeerId, MemberEntry> members,
    List<ClusterEntry> clusters,
    List<ClusterDescriptor> rootClusters,
    Optional<ZoneLease> parentLease) {
  private static final int TERM_SHIFT = 32;

  /** Limit for received cluster indices: new clusters get larger ones, which must not overflow. */
  private static final int MAX_CLUSTER_INDEX = 1 << 30;

  /**
   * A member of the zone; above the lowest level the leader of a child zone.
   *
   * @param childZone that child zone
   * @param version newest version of the child zone that the member reported
   */
  record MemberEntry(
      PeerId peer,
      double capacity,
      ElectionScore score,
      Optional<ZoneId> childZone,
      long version) {}

  /** A cluster with its peers or its child clusters. */
  record ClusterEntry(
      ClusterDescriptor descriptor, List<PeerId> members, List<ClusterDescriptor> children) {
    ClusterId id() {
      return descriptor.id();
    }

    boolean isEmpty() {
      return members.isEmpty() && children.isEmpty();
    }
  }

  ZoneState {
    clusters = List.copyOf(clusters);
    rootClusters = List.copyOf(rootClusters);
  }

  int level() {
    return zone.level();
  }

  /**
   * Whether the state is one that leaders produce, so that a receiver can continue from it:
   * clusters of this zone, each with peers on the lowest level and with clusters of lower levels on
   * others.
   */
  boolean isValid() {
    return clusters.stream().allMatch(this::isValid);
  }

  private boolean isValid(ClusterEntry cluster) {
    boolean lowest = level() == 1;
    return cluster.descriptor().zone().equals(zone)
        && cluster.descriptor().index() < MAX_CLUSTER_INDEX
        && cluster.members().isEmpty() == !lowest
        && cluster.children().isEmpty() == lowest
        && cluster.children().stream().allMatch(each -> each.zone().level() < level());
  }

  static long term(long version) {
    return version >>> TERM_SHIFT;
  }

  /** Whether another state of this zone has the same version and clusters. */
  boolean hasSameContent(ZoneState other) {
    return version == other.version
        && clusters.equals(other.clusters)
        && rootClusters.equals(other.rootClusters);
  }

  List<ClusterDescriptor> descriptors() {
    return clusters.stream().map(ClusterEntry::descriptor).toList();
  }

  Optional<ClusterEntry> cluster(ClusterId id) {
    return clusters.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  Optional<ClusterEntry> clusterOf(PeerId peer) {
    return clusters.stream().filter(each -> each.members().contains(peer)).findFirst();
  }

  Optional<MemberEntry> memberLeading(ZoneId lower) {
    return members.values().stream()
        .filter(each -> each.childZone().filter(lower::equals).isPresent())
        .findFirst();
  }

  /** All members but the leader by (score, id): the order in which they take over. */
  List<PeerId> successors(PeerId leader) {
    return members.values().stream()
        .filter(each -> !each.peer().equals(leader))
        .sorted(Comparator.comparing(MemberEntry::score))
        .map(MemberEntry::peer)
        .toList();
  }

  ZoneState inTerm(long term) {
    return ZoneStateBuilder.from(this).version(term << TERM_SHIFT).build();
  }

  ZoneState nextVersion() {
    return ZoneStateBuilder.from(this).version(version + 1).build();
  }

  ZoneState with(SortedMap<PeerId, MemberEntry> now) {
    return ZoneStateBuilder.from(this).members(now).build();
  }

  ZoneState with(List<ClusterEntry> now) {
    return ZoneStateBuilder.from(this).clusters(now).build();
  }

  ZoneState withRootClusters(List<ClusterDescriptor> now) {
    return ZoneStateBuilder.from(this).rootClusters(now).build();
  }

  ZoneState withParentLease(ZoneLease next) {
    return ZoneStateBuilder.from(this).parentLease(Optional.of(next)).build();
  }

  ZoneState add(MemberEntry member) {
    return with(Copies.with(members, member.peer(), member));
  }

  ZoneState without(PeerId peer) {
    return with(Copies.without(members, peer));
  }

  /** This state with one cluster replaced; a cluster without members or children is removed. */
  ZoneState with(ClusterEntry cluster) {
    List<ClusterEntry> now = new ArrayList<>();
    for (ClusterEntry each : clusters) {
      ClusterEntry kept = each.id().equals(cluster.id()) ? cluster : each;
      if (!kept.isEmpty()) {
        now.add(kept);
      }
    }
    return with(now);
  }
}
