package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A zone that is built, as its leader looks after it and its deputies would: who is in it, what its
 * clusters are and which zone is above. That is all there is to hand over (SemanticDFL, section
 * 3.7). The zone keeps the name of whoever started it; who leads it may change.
 *
 * @param stamp grows with every change; its upper half is the term, which grows with every leader
 * @param top whether it called itself the last: then it has no clusters of its own, and those
 *     {@code below} it are the top ones
 */
record Ward(
    ZoneId zone,
    long stamp,
    boolean top,
    SortedMap<PeerId, Tenant> tenants,
    List<Held> clusters,
    List<ClusterDescriptor> below,
    Optional<Tenancy> above) {
  private static final int TERM_SHIFT = 32;

  /** Of clusters that others found: the next ones count on from there. */
  private static final int MOST_NUMBER = 1 << 30;

  /**
   * A peer of the zone; above the lowest level the leader of a zone below.
   *
   * @param below that zone
   * @param stamp of the newest that it contributed
   */
  record Tenant(PeerId peer, double capacity, Score score, Optional<ZoneId> below, long stamp) {}

  /** A cluster with its peers or the clusters in it. */
  record Held(ClusterDescriptor cluster, List<PeerId> members, List<ClusterDescriptor> children) {
    ClusterId id() {
      return cluster.id();
    }

    boolean isEmpty() {
      return members.isEmpty() && children.isEmpty();
    }
  }

  Ward {
    clusters = List.copyOf(clusters);
    below = List.copyOf(below);
  }

  int level() {
    return zone.level();
  }

  /**
   * Whether it is as leaders make it, so that whoever gets it can go on from there: clusters of its
   * own, each with peers on the lowest level and with clusters from below on others.
   */
  boolean isSound() {
    return clusters.stream().allMatch(this::isSound);
  }

  private boolean isSound(Held held) {
    boolean lowest = level() == 1;
    return held.cluster().zone().equals(zone)
        && held.cluster().cluster() < MOST_NUMBER
        && held.members().isEmpty() == !lowest
        && held.children().isEmpty() == lowest
        && held.children().stream().allMatch(each -> each.zone().level() < level());
  }

  static long term(long stamp) {
    return stamp >>> TERM_SHIFT;
  }

  /** Whether it says the same, by the same leader, as another one of this zone. */
  boolean saysTheSameAs(Ward other) {
    return stamp == other.stamp && clusters.equals(other.clusters) && below.equals(other.below);
  }

  List<ClusterDescriptor> descriptors() {
    return clusters.stream().map(Held::cluster).toList();
  }

  Optional<Held> cluster(ClusterId id) {
    return clusters.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  Optional<Held> home(PeerId peer) {
    return clusters.stream().filter(each -> each.members().contains(peer)).findFirst();
  }

  Optional<Tenant> leaderOf(ZoneId lower) {
    return tenants.values().stream()
        .filter(each -> each.below().filter(lower::equals).isPresent())
        .findFirst();
  }

  /** Everybody else by (score, id): who would lead next. */
  List<PeerId> successors(PeerId leader) {
    return tenants.values().stream()
        .filter(each -> !each.peer().equals(leader))
        .sorted(Comparator.comparing(Tenant::score))
        .map(Tenant::peer)
        .toList();
  }

  Ward inTerm(long term) {
    return new Ward(zone, term << TERM_SHIFT, top, tenants, clusters, below, above);
  }

  Ward next() {
    return new Ward(zone, stamp + 1, top, tenants, clusters, below, above);
  }

  Ward with(SortedMap<PeerId, Tenant> now) {
    return new Ward(zone, stamp, top, now, clusters, below, above);
  }

  Ward with(List<Held> now) {
    return new Ward(zone, stamp, top, tenants, now, below, above);
  }

  Ward atTop(List<ClusterDescriptor> now) {
    return new Ward(zone, stamp, top, tenants, clusters, now, above);
  }

  Ward under(Tenancy next) {
    return new Ward(zone, stamp, top, tenants, clusters, below, Optional.of(next));
  }

  Ward add(Tenant tenant) {
    return with(Rows.with(tenants, tenant.peer(), tenant));
  }

  Ward without(PeerId peer) {
    return with(Rows.without(tenants, peer));
  }

  /** The same with one cluster replaced, or left out where nothing is in it. */
  Ward with(Held held) {
    List<Held> now = new ArrayList<>();
    for (Held each : clusters) {
      Held kept = each.id().equals(held.id()) ? held : each;
      if (!kept.isEmpty()) {
        now.add(kept);
      }
    }
    return with(now);
  }
}
