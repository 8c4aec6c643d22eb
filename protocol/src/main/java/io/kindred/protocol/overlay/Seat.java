package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a super-peer holds of one cluster: its descriptor, pointers to its peers or to the clusters
 * in it, and a pointer upward; at the top, the descriptors of all top clusters instead.
 */
public record Seat(
    ClusterDescriptor cluster,
    List<PeerId> members,
    List<ClusterDescriptor> children,
    Optional<Pointer> parent,
    SortedMap<ClusterId, ClusterDescriptor> roots) {
  /** A cluster elsewhere and who holds it. */
  public record Pointer(ClusterId cluster, List<PeerId> replicas) {}

  static Seat of(OverlayMessage.Appointment appointment) {
    return new Seat(
        appointment.cluster(),
        appointment.members(),
        appointment.children(),
        Optional.empty(),
        new TreeMap<>());
  }

  Seat below(Pointer pointer) {
    return new Seat(cluster, members, children, Optional.of(pointer), roots);
  }

  Seat beside(ClusterDescriptor root) {
    return new Seat(cluster, members, children, parent, Rows.with(roots, root.id(), root));
  }
}
