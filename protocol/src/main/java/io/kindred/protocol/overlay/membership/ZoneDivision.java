package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.overlay.clustering.ClusterPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Divides a full zone of the lowest level in two. The clusters least similar to the leader's move,
 * half of the members with them, to a zone of their own; the member with the lowest score among
 * them leads it. Pure functions.
 *
 * @param kept the zone with the members that stay
 * @param moved the new zone
 * @param homes the new clusters of the members that move
 */
record ZoneDivision(ZoneState kept, ZoneState moved, NavigableMap<PeerId, ClusterEntry> homes) {
  /** With fewer members, a part would be a single peer, which has to look for another zone. */
  static final int LEAST_MEMBERS = 4;

  /** The peer that leads the new zone. */
  PeerId newLeader() {
    return moved.zone().initiator();
  }

  /** Empty where the zone is too small, or is not one of peers. */
  static Optional<ZoneDivision> of(ZoneState zone, PeerId leader, int replicas) {
    Optional<ClusterEntry> home = zone.clusterOf(leader);
    if (zone.level() > 1 || zone.members().size() < LEAST_MEMBERS || home.isEmpty()) {
      return Optional.empty();
    }
    List<ClusterEntry> order = new ArrayList<>(zone.clusters());
    order.remove(home.get());
    order.sort(
        Comparator.comparingDouble((ClusterEntry each) -> similarity(home.get(), each))
            .thenComparing(ClusterEntry::id));
    order.add(home.get());
    int wanted = zone.members().size() / 2;
    List<ClusterEntry> moving = new ArrayList<>();
    NavigableMap<PeerId, MemberEntry> members = new TreeMap<>();
    ZoneState kept = zone;
    for (ClusterEntry cluster : order) {
      List<MemberEntry> entries =
          cluster.members().stream()
              .filter(peer -> !peer.equals(leader))
              .map(peer -> zone.members().get(peer))
              .filter(Objects::nonNull)
              .limit(wanted - members.size())
              .toList();
      for (MemberEntry entry : entries) {
        members.put(entry.peer(), entry);
        kept = ClusterPlacement.withoutMember(kept, entry);
      }
      if (!entries.isEmpty()) {
        List<PeerId> peers = entries.stream().map(MemberEntry::peer).toList();
        moving.add(new ClusterEntry(cluster.descriptor(), peers, List.of()));
      }
    }
    return Optional.of(create(zone, kept, members, moving, replicas));
  }

  private static double similarity(ClusterEntry one, ClusterEntry other) {
    boolean comparable =
        one.descriptor().prototype().dimension() == other.descriptor().prototype().dimension();
    return comparable ? one.descriptor().prototype().cosine(other.descriptor().prototype()) : -1;
  }

  private static ZoneDivision create(
      ZoneState zone,
      ZoneState kept,
      NavigableMap<PeerId, MemberEntry> members,
      List<ClusterEntry> moving,
      int replicas) {
    MemberEntry first =
        members.values().stream().min(Comparator.comparing(MemberEntry::score)).orElseThrow();
    ZoneId id = new ZoneId(zone.zone().epoch(), 1, first.peer());
    List<ClusterEntry> clusters = new ArrayList<>();
    for (ClusterEntry each : moving) {
      ClusterDescriptor old = each.descriptor();
      PeerId exemplar =
          each.members().contains(old.exemplar()) ? old.exemplar() : each.members().getFirst();
      List<PeerId> staying = old.replicas().stream().filter(each.members()::contains).toList();
      clusters.add(
          new ClusterEntry(
              new ClusterDescriptor(
                  clusters.size(),
                  exemplar,
                  old.prototype(),
                  staying.isEmpty() ? List.of(exemplar) : staying,
                  each.members().size(),
                  id),
              each.members(),
              List.of()));
    }
    // The new leader may have led a zone of this name before: a later term is newer than that one.
    ZoneState moved =
        new ZoneState(id, 0, false, members, clusters, List.of(), zone.parentLease())
            .inTerm(ZoneState.term(zone.version()) + 1);
    ZoneState repaired = ClusterPlacement.repairReplicas(moved, replicas);
    NavigableMap<PeerId, ClusterEntry> homes = new TreeMap<>();
    repaired.clusters().forEach(each -> each.members().forEach(peer -> homes.put(peer, each)));
    return new ZoneDivision(kept, repaired, homes);
  }
}
