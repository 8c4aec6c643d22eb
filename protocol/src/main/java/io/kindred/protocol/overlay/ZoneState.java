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
public record ZoneState(
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
  public record MemberEntry(
      PeerId peer,
      double capacity,
      ElectionScore score,
      Optional<ZoneId> childZone,
      long version) {}

  /** A cluster with its peers or its child clusters. */
  public record ClusterEntry(
      ClusterDescriptor descriptor, List<PeerId> members, List<ClusterDescriptor> children) {
    public ClusterId id() {
      return descriptor.id();
    }

    public boolean isEmpty() {
      return members.isEmpty() && children.isEmpty();
    }
  }

  public ZoneState {
    clusters = List.copyOf(clusters);
    rootClusters = List.copyOf(rootClusters);
  }

  public int level() {
    return zone.level();
  }

  /**
   * Whether the state is one that leaders produce, so that a receiver can continue from it:
   * clusters of this zone, each with peers on the lowest level and with clusters of lower levels on
   * others.
   */
  public boolean isValid() {
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

  public static long term(long version) {
    return version >>> TERM_SHIFT;
  }

  /** Whether another state of this zone has the same version and clusters. */
  public boolean hasSameContent(ZoneState other) {
    return version == other.version
        && clusters.equals(other.clusters)
        && rootClusters.equals(other.rootClusters);
  }

  public List<ClusterDescriptor> descriptors() {
    return clusters.stream().map(ClusterEntry::descriptor).toList();
  }

  public Optional<ClusterEntry> cluster(ClusterId id) {
    return clusters.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  public Optional<ClusterEntry> clusterOf(PeerId peer) {
    return clusters.stream().filter(each -> each.members().contains(peer)).findFirst();
  }

  public Optional<MemberEntry> memberLeading(ZoneId lower) {
    return members.values().stream()
        .filter(each -> each.childZone().filter(lower::equals).isPresent())
        .findFirst();
  }

  /** All members but the leader by (score, id): the order in which they take over. */
  public List<PeerId> successors(PeerId leader) {
    return members.values().stream()
        .filter(each -> !each.peer().equals(leader))
        .sorted(Comparator.comparing(MemberEntry::score))
        .map(MemberEntry::peer)
        .toList();
  }

  public ZoneState inTerm(long term) {
    return ZoneStateBuilder.from(this).version(term << TERM_SHIFT).build();
  }

  public ZoneState nextVersion() {
    return ZoneStateBuilder.from(this).version(version + 1).build();
  }

  public ZoneState with(SortedMap<PeerId, MemberEntry> now) {
    return ZoneStateBuilder.from(this).members(now).build();
  }

  public ZoneState with(List<ClusterEntry> now) {
    return ZoneStateBuilder.from(this).clusters(now).build();
  }

  public ZoneState withRootClusters(List<ClusterDescriptor> now) {
    return ZoneStateBuilder.from(this).rootClusters(now).build();
  }

  public ZoneState withParentLease(ZoneLease next) {
    return ZoneStateBuilder.from(this).parentLease(Optional.of(next)).build();
  }

  public ZoneState add(MemberEntry member) {
    return with(Copies.with(members, member.peer(), member));
  }

  public ZoneState without(PeerId peer) {
    return with(Copies.without(members, peer));
  }

  /** This state with one cluster replaced; a cluster without members or children is removed. */
  public ZoneState with(ClusterEntry cluster) {
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
