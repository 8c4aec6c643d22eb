package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a super-peer holds of one cluster: its descriptor, pointers to its peers or to the clusters
 * in it, and a pointer upward; at the top, the descriptors of all top clusters instead.
 *
 * @param versions how new that is: what is older comes too late
 */
public record ClusterReplica(
    ClusterDescriptor descriptor,
    List<PeerId> members,
    List<ClusterDescriptor> children,
    Optional<ClusterPointer> parent,
    SortedMap<ClusterId, ClusterDescriptor> roots,
    Versions versions) {
  /** A cluster elsewhere and who holds it. */
  public record ClusterPointer(ClusterId cluster, List<PeerId> replicas) {
    public ClusterPointer {
      replicas = requireReplicas(replicas);
    }
  }

  /**
   * Of the zone's leader for what is in it, of the one above for where it belongs, and when the
   * former was heard of.
   */
  public record Versions(long own, long parent, long lastHeard) {}

  /** Who holds a cluster: somebody always does, and whoever looks for it asks one of them. */
  static List<PeerId> requireReplicas(List<PeerId> replicas) {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("nobody holds the cluster");
    }
    return List.copyOf(replicas);
  }

  static ClusterReplica of(
      OverlayMessage.ReplicaAssigned replicaAssigned, @Nullable ClusterReplica known, long tick) {
    return new ClusterReplica(
        replicaAssigned.descriptor(),
        replicaAssigned.members(),
        replicaAssigned.children(),
        known == null ? Optional.empty() : known.parent,
        known == null ? new TreeMap<>() : known.roots,
        new Versions(replicaAssigned.version(), known == null ? -1 : known.versions.parent, tick));
  }

  long version() {
    return versions.own;
  }

  ClusterReplica withParent(ClusterPointer clusterPointer, long stamp) {
    return new ClusterReplica(
        descriptor,
        members,
        children,
        Optional.of(clusterPointer),
        new TreeMap<>(),
        new Versions(versions.own, stamp, versions.lastHeard));
  }

  /** At the top, with all of them. */
  ClusterReplica withRoots(List<ClusterDescriptor> all, long stamp) {
    SortedMap<ClusterId, ClusterDescriptor> now = new TreeMap<>();
    all.forEach(each -> now.put(each.id(), each));
    return new ClusterReplica(
        descriptor,
        members,
        children,
        Optional.empty(),
        now,
        new Versions(versions.own, stamp, versions.lastHeard));
  }

  ClusterReplica addRoot(ClusterDescriptor root) {
    return new ClusterReplica(
        descriptor, members, children, parent, Copies.with(roots, root.id(), root), versions);
  }
}
