package io.kindred.experiment;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.report.run.OverlayTree;
import io.kindred.simulator.GlobalView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reassembles the overlay's clusters from the replicas that super-peers hold. */
public final class OverlayHierarchy {
  private OverlayHierarchy() {}

  /** Every cluster of which a replica exists, in its newest version. */
  public static SortedMap<ClusterId, ClusterReplica> newestReplicas(
      Collection<OverlayState> states) {
    SortedMap<ClusterId, ClusterReplica> replicas = new TreeMap<>();
    for (OverlayState state : states) {
      state
          .position()
          .heldReplicas()
          .forEach((id, replica) -> replicas.merge(id, replica, OverlayHierarchy::newer));
    }
    return replicas;
  }

  private static ClusterReplica newer(ClusterReplica one, ClusterReplica other) {
    return other.versions().own() > one.versions().own() ? other : one;
  }

  static List<OverlayState> overlayStates(GlobalView view) {
    return view.livePeers().stream()
        .flatMap(peer -> view.state(peer).layers().stream())
        .filter(OverlayState.class::isInstance)
        .map(OverlayState.class::cast)
        .toList();
  }

  /** The tree below the clusters without a parent. */
  public static OverlayTree tree(SortedMap<ClusterId, ClusterReplica> replicas) {
    return new OverlayTree(
        replicas.values().stream()
            .filter(replica -> replica.parent().isEmpty())
            .map(root -> cluster(root, replicas))
            .toList());
  }

  private static OverlayTree.Cluster cluster(
      ClusterReplica replica, SortedMap<ClusterId, ClusterReplica> replicas) {
    List<OverlayTree.Cluster> below = new ArrayList<>();
    for (ClusterDescriptor child : replica.children()) {
      ClusterReplica held = replicas.get(child.id());
      if (held != null) {
        below.add(cluster(held, replicas));
      }
    }
    ClusterDescriptor own = replica.descriptor();
    return new OverlayTree.Cluster(
        own.id().level(),
        own.zone().initiator().number(),
        own.index(),
        own.size(),
        numbers(own.replicas()),
        below,
        numbers(replica.members()));
  }

  private static List<Long> numbers(List<PeerId> peers) {
    return peers.stream().map(PeerId::number).toList();
  }
}
