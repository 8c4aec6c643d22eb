package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.experiment.OverlayHierarchy;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterReplicaBuilder;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.machine.EpochState;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.protocol.wire.Wire;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The global structure of an overlay, which no single peer knows, assembled from the states of all
 * peers.
 */
public final class OverlayStructure {
  private final SortedMap<PeerId, OverlayState> states;
  private final OverlaySettings settings;
  private final Wire wire;
  private final SortedMap<ClusterId, ClusterReplica> replicas;
  private final SortedMap<ZoneId, List<PeerId>> zones = new TreeMap<>();

  /** Assembles the structure from the states of the live peers. */
  OverlayStructure(SortedMap<PeerId, OverlayState> states, OverlaySettings settings, Wire wire) {
    this.states = states;
    this.settings = settings;
    this.wire = wire;
    this.replicas = OverlayHierarchy.newestReplicas(states.values());
    for (OverlayState state : states.values()) {
      state
          .ledZones()
          .forEach((zone, members) -> zones.merge(zone, members, OverlayStructure::longer));
    }
  }

  private static List<PeerId> longer(List<PeerId> one, List<PeerId> other) {
    return other.size() > one.size() ? other : one;
  }

  private Optional<OverlayState> stateOf(PeerId peer) {
    return Optional.ofNullable(states.get(peer));
  }

  /** The members of every zone, on all levels. */
  public SortedMap<ZoneId, List<PeerId>> zones() {
    return zones;
  }

  public List<List<PeerId>> zones(int level) {
    return zones.entrySet().stream()
        .filter(each -> each.getKey().level() == level)
        .map(Map.Entry::getValue)
        .toList();
  }

  public SortedMap<ClusterId, ClusterReplica> clusters() {
    return replicas;
  }

  public List<ClusterReplica> clusters(int level) {
    return replicas.values().stream()
        .filter(replica -> replica.descriptor().id().level() == level)
        .toList();
  }

  /** Number of levels; the top clusters are on the last. */
  public int depth() {
    return replicas.keySet().stream().mapToInt(ClusterId::level).max().orElse(0);
  }

  /** Clusters without a parent. */
  public List<ClusterReplica> roots() {
    return replicas.values().stream().filter(replica -> replica.parent().isEmpty()).toList();
  }

  /** Bytes of the cluster state that each peer holds: descriptors and pointers. */
  public List<Long> clusterStateBytes() {
    return states.values().stream()
        .map(
            state ->
                (long)
                    wire.encode(EpochState.HierarchyPosition.class, state.position())
                        .bytes()
                        .length)
        .toList();
  }

  /**
   * The bound of proposition 3: H S_Z (S_P + r S_D), with the largest actual value of each size.
   */
  public long stateBound() {
    long signature = 0;
    long descriptor = 0;
    for (ClusterReplica replica : replicas.values()) {
      ClusterDescriptor each = replica.descriptor();
      signature = Math.max(signature, each.prototype().bytes());
      descriptor = Math.max(descriptor, wire.encode(ClusterDescriptor.class, each).bytes().length);
    }
    return (long) depth() * settings.zoneSize() * (signature + settings.replicas() * descriptor);
  }

  /** The agreed number of signature entries, or 0 if there is none yet. */
  public int agreedEntries() {
    return states.values().stream()
        .findFirst()
        .flatMap(state -> state.position().signatureEntries())
        .orElse(0);
  }

  /** All violations of the structure's invariants, in words; empty if the structure is correct. */
  public List<String> violations() {
    List<String> faults = new ArrayList<>();
    checkZones(faults);
    checkMembership(faults);
    checkReplicas(faults);
    checkParentLinks(faults);
    checkRoots(faults);
    return faults;
  }

  private void checkZones(List<String> faults) {
    SortedMap<Integer, SortedMap<PeerId, Integer>> memberships = new TreeMap<>();
    zones.forEach(
        (zone, members) -> {
          if (members.size() > settings.zoneSize()) {
            faults.add(zone + " has " + members.size() + " members");
          }
          for (PeerId member : members) {
            memberships
                .computeIfAbsent(zone.level(), level -> new TreeMap<>())
                .merge(member, 1, Integer::sum);
            Optional<ZoneId> own = stateOf(member).flatMap(state -> state.zone(zone.level()));
            if (own.isEmpty() || !own.get().equals(zone)) {
              faults.add(member + " is listed in " + zone + " but states " + own);
            }
          }
        });
    memberships.forEach(
        (level, counts) ->
            counts.forEach(
                (peer, count) -> {
                  if (count != 1) {
                    faults.add(peer + " is in " + count + " zones of level " + level);
                  }
                }));
    int covered = memberships.getOrDefault(1, new TreeMap<>()).size();
    if (covered != states.size()) {
      faults.add(covered + " of " + states.size() + " peers are in a zone");
    }
  }

  private void checkMembership(List<String> faults) {
    for (PeerId peer : states.keySet()) {
      OverlayState state = states.get(peer);
      Optional<ClusterReplica.ClusterPointer> home = state.position().homeCluster();
      ClusterReplica replica = home.map(each -> replicas.get(each.cluster())).orElse(null);
      if (home.isEmpty() || replica == null) {
        faults.add(peer + " has no cluster");
      } else if (!replica.members().contains(peer)
          || !replica.descriptor().replicas().equals(home.get().replicas())) {
        faults.add(peer + " and its cluster " + home.get() + " disagree");
      }
      if (state.position().signatureEntries().isEmpty()) {
        faults.add(peer + " was not notified that the overlay is built");
      }
    }
  }

  private void checkReplicas(List<String> faults) {
    SortedMap<ZoneId, SortedSet<PeerId>> candidates = new TreeMap<>();
    for (ClusterReplica replica : replicas.values()) {
      SortedSet<PeerId> possibleReplicas =
          candidates.computeIfAbsent(replica.descriptor().zone(), zone -> new TreeSet<>());
      possibleReplicas.addAll(replica.members());
      replica.children().forEach(child -> possibleReplicas.addAll(child.replicas()));
    }
    replicas.forEach(
        (id, newest) -> {
          ClusterDescriptor cluster = newest.descriptor();
          int possible = candidates.getOrDefault(cluster.zone(), new TreeSet<>()).size();
          if (cluster.replicas().size() != Math.min(settings.replicas(), possible)) {
            faults.add(id + " has replicas " + cluster.replicas() + " of " + possible);
          }
          for (PeerId holder : cluster.replicas()) {
            ClusterReplica held =
                stateOf(holder).map(state -> state.position().heldReplicas().get(id)).orElse(null);
            if (held == null || !withoutVersions(newest).equals(withoutVersions(held))) {
              faults.add(holder + " holds a different replica of " + id);
            }
          }
          if (newest.children().size() > settings.fanOut()) {
            faults.add(id + " has " + newest.children().size() + " children");
          }
        });
  }

  /** Versions are ignored, because they differ between replicas that received an update twice. */
  private static ClusterReplica withoutVersions(ClusterReplica replica) {
    return ClusterReplicaBuilder.from(replica)
        .versions(new ClusterReplica.Versions(0, 0, 0))
        .build();
  }

  private void checkParentLinks(List<String> faults) {
    replicas.forEach(
        (id, replica) -> {
          if (replica.parent().isPresent()) {
            ClusterReplica.ClusterPointer clusterPointer = replica.parent().get();
            ClusterReplica parent = replicas.get(clusterPointer.cluster());
            if (parent == null
                || parent.children().stream().noneMatch(replica.descriptor()::isApproximately)
                || !parent.descriptor().replicas().equals(clusterPointer.replicas())) {
              faults.add(id + " and its parent " + clusterPointer.cluster() + " disagree");
            }
          }
          for (ClusterDescriptor child : replica.children()) {
            ClusterReplica below = replicas.get(child.id());
            if (below == null || below.parent().filter(up -> up.cluster().equals(id)).isEmpty()) {
              faults.add(id + " and its child " + child.id() + " disagree");
            }
          }
        });
  }

  private void checkRoots(List<String> faults) {
    List<ClusterReplica> roots = roots();
    if (roots.isEmpty() || roots.size() >= Math.max(2, settings.zoneSize())) {
      faults.add(roots.size() + " top clusters");
    }
    List<ClusterId> all =
        roots.stream()
            .map(replica -> replica.descriptor().id())
            .sorted(Comparator.naturalOrder())
            .toList();
    for (ClusterReplica root : roots) {
      if (!List.copyOf(root.roots().keySet()).equals(all)) {
        faults.add(root.descriptor().id() + " knows top clusters " + root.roots().keySet());
      }
      if (root.descriptor().id().level() != depth()) {
        faults.add(root.descriptor().id() + " has no parent, but is not at the top");
      }
    }
    int bound = 3 + 2 * (32 - Integer.numberOfLeadingZeros(states.size()));
    if (depth() > bound) {
      faults.add(depth() + " levels");
    }
  }
}
