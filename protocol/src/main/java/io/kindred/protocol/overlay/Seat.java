package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a super-peer holds of one cluster: its descriptor, pointers to its peers or to the clusters
 * in it, and a pointer upward; at the top, the descriptors of all top clusters instead.
 *
 * @param stamps how new that is: what is older comes too late
 */
public record Seat(
    ClusterDescriptor cluster,
    List<PeerId> members,
    List<ClusterDescriptor> children,
    Optional<Pointer> parent,
    SortedMap<ClusterId, ClusterDescriptor> roots,
    Stamps stamps) {
  /** A cluster elsewhere and who holds it. */
  public record Pointer(ClusterId cluster, List<PeerId> replicas) {
    public Pointer {
      replicas = holders(replicas);
    }
  }

  /**
   * Of the zone's leader for what is in it, of the one above for where it belongs, and when the
   * former was heard of.
   */
  public record Stamps(long own, long above, long heard) {}

  /** Who holds a cluster: somebody always does, and whoever looks for it asks one of them. */
  static List<PeerId> holders(List<PeerId> replicas) {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("nobody holds the cluster");
    }
    return List.copyOf(replicas);
  }

  static Seat of(OverlayMessage.Appointment appointment, @Nullable Seat known, long tick) {
    return new Seat(
        appointment.cluster(),
        appointment.members(),
        appointment.children(),
        known == null ? Optional.empty() : known.parent,
        known == null ? new TreeMap<>() : known.roots,
        new Stamps(appointment.stamp(), known == null ? -1 : known.stamps.above, tick));
  }

  long stamp() {
    return stamps.own;
  }

  Seat below(Pointer pointer, long stamp) {
    return new Seat(
        cluster,
        members,
        children,
        Optional.of(pointer),
        new TreeMap<>(),
        new Stamps(stamps.own, stamp, stamps.heard));
  }

  /** At the top, with all of them. */
  Seat among(List<ClusterDescriptor> all, long stamp) {
    SortedMap<ClusterId, ClusterDescriptor> now = new TreeMap<>();
    all.forEach(each -> now.put(each.id(), each));
    return new Seat(
        cluster,
        members,
        children,
        Optional.empty(),
        now,
        new Stamps(stamps.own, stamp, stamps.heard));
  }

  Seat beside(ClusterDescriptor root) {
    return new Seat(cluster, members, children, parent, Rows.with(roots, root.id(), root), stamps);
  }
}
