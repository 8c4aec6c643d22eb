package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A super-peer's replica of one cluster: its descriptor, its member peers or child clusters, and a
 * pointer to its parent cluster. A root cluster has the descriptors of all root clusters instead of
 * a parent.
 *
 * @param versions decide whether a message about the cluster is outdated
 */
@Buildable
public record ClusterReplica(
    ClusterDescriptor descriptor,
    List<PeerId> members,
    List<ClusterDescriptor> children,
    Optional<ClusterPointer> parent,
    SortedMap<ClusterId, ClusterDescriptor> roots,
    Versions versions) {
  /** A cluster and the peers that hold its replicas. */
  public record ClusterPointer(ClusterId cluster, List<PeerId> replicas) {
    public ClusterPointer {
      replicas = requireReplicas(replicas);
    }
  }

  /**
   * The versions that a replica was built from.
   *
   * @param own version of the cluster's zone, which assigned the replica
   * @param parent version of the zone above, which assigned the parent or the roots
   * @param lastHeard tick of the last assignment by the cluster's zone
   */
  public record Versions(long own, long parent, long lastHeard) {}

  /** Rejects an empty list: a peer that looks for a cluster asks one of its replicas. */
  public static List<PeerId> requireReplicas(List<PeerId> replicas) {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one replica, got none");
    }
    return List.copyOf(replicas);
  }

  public static ClusterReplica of(
      OverlayMessage.ReplicaAssigned replicaAssigned, @Nullable ClusterReplica known, long tick) {
    return new ClusterReplica(
        replicaAssigned.descriptor(),
        replicaAssigned.members(),
        replicaAssigned.children(),
        known == null ? Optional.empty() : known.parent,
        known == null ? new TreeMap<>() : known.roots,
        new Versions(replicaAssigned.version(), known == null ? -1 : known.versions.parent, tick));
  }

  public long version() {
    return versions.own;
  }

  public ClusterReplica withParent(ClusterPointer clusterPointer, long parentVersion) {
    return ClusterReplicaBuilder.from(this)
        .parent(Optional.of(clusterPointer))
        .roots(new TreeMap<>())
        .versions(new Versions(versions.own, parentVersion, versions.lastHeard))
        .build();
  }

  /** As a root cluster, with the descriptors of all root clusters. */
  public ClusterReplica withRoots(List<ClusterDescriptor> all, long parentVersion) {
    SortedMap<ClusterId, ClusterDescriptor> now = new TreeMap<>();
    all.forEach(each -> now.put(each.id(), each));
    return ClusterReplicaBuilder.from(this)
        .parent(Optional.empty())
        .roots(now)
        .versions(new Versions(versions.own, parentVersion, versions.lastHeard))
        .build();
  }

  public ClusterReplica addRoot(ClusterDescriptor root) {
    return ClusterReplicaBuilder.from(this).roots(Copies.with(roots, root.id(), root)).build();
  }
}
