package io.kindred.protocol.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.signature.Signature;
import java.util.List;

/**
 * What a cluster publishes about itself: CD = (j, e, u, R, |C|, zoneID), those fields and no others
 * (SemanticDFL, section 3.3.2). {@code index} counts from zero inside the zone; {@code replicas}
 * are its super-peers, the first one responsible first.
 */
@Buildable
public record ClusterDescriptor(
    int index, PeerId exemplar, Signature prototype, List<PeerId> replicas, int size, ZoneId zone) {
  public ClusterDescriptor {
    replicas = List.copyOf(replicas);
    if (index < 0 || size < 1 || replicas.isEmpty()) {
      throw new IllegalArgumentException(
          "cluster " + index + " of " + size + " peers with " + replicas.size() + " replicas");
    }
  }

  /**
   * Whether another descriptor is the same to the zones above: a size that is wrong by less than a
   * quarter makes no difference to them.
   */
  public boolean isApproximately(ClusterDescriptor other) {
    return equals(
            new ClusterDescriptor(
                other.index, other.exemplar, other.prototype, other.replicas, size, other.zone))
        && Math.abs(size - other.size) * 4L < size;
  }

  /**
   * The total size of several clusters. Saturates: sizes come from other peers and may be false.
   */
  public static int totalSize(List<ClusterDescriptor> clusters) {
    long sum = 0;
    for (ClusterDescriptor each : clusters) {
      sum += each.size;
    }
    return (int) Math.min(Integer.MAX_VALUE, sum);
  }

  public ClusterId id() {
    return new ClusterId(zone, index);
  }
}
