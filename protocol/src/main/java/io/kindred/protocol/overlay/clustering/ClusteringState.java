package io.kindred.protocol.overlay.clustering;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayMessage;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's state of clustering in one epoch.
 *
 * @param inputs inputs of the zones that this peer leads while they form, by level
 * @param heldReplicas the replicas of clusters that this peer holds
 * @param earlyMessages messages about clusters whose replicas have not been assigned to this peer
 *     yet
 * @param reclustering progress of re-clustering the lowest zone that this peer leads
 */
@Buildable
public record ClusteringState(
    SortedMap<Integer, ZoneInputs> inputs,
    SortedMap<ClusterId, ClusterReplica> heldReplicas,
    List<OverlayMessage> earlyMessages,
    Optional<ReclusteringState> reclustering) {
  public static final ClusteringState EMPTY =
      new ClusteringState(new TreeMap<>(), new TreeMap<>(), List.of(), Optional.empty());

  ZoneInputs inputs(int level) {
    return inputs.getOrDefault(level, ZoneInputs.NONE);
  }

  ClusteringState with(int level, ZoneInputs next) {
    return ClusteringStateBuilder.from(this).inputs(Copies.with(inputs, level, next)).build();
  }

  /** The state with these replicas. */
  public ClusteringState withReplicas(SortedMap<ClusterId, ClusterReplica> next) {
    return ClusteringStateBuilder.from(this).heldReplicas(next).build();
  }

  ClusteringState withEarly(List<OverlayMessage> next) {
    return ClusteringStateBuilder.from(this).earlyMessages(next).build();
  }

  ClusteringState withReclustering(Optional<ReclusteringState> next) {
    return ClusteringStateBuilder.from(this).reclustering(next).build();
  }
}
