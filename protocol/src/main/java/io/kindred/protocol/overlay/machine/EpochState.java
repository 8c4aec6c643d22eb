package io.kindred.protocol.overlay.machine;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.clustering.ClusteringState;
import io.kindred.protocol.overlay.formation.FormationState;
import io.kindred.protocol.overlay.membership.MembershipState;
import io.kindred.protocol.vrf.Epoch;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A peer's state in the overlay of one epoch: what each sub-protocol owns. While the next overlay
 * is built, the previous one still answers queries, so a peer may have two.
 *
 * @param previousEpoch the epoch whose seed the scores of this epoch follow from
 * @param startedAt tick at which this peer began the epoch
 */
@Buildable
public record EpochState(
    Epoch previousEpoch,
    long startedAt,
    FormationState formation,
    ClusteringState clustering,
    MembershipState membership) {
  /**
   * The peer's position in the hierarchy: the replicas that it holds, its home cluster, and
   * messages about clusters whose replicas have not been assigned to it yet.
   */
  public record HierarchyPosition(
      SortedMap<ClusterId, ClusterReplica> heldReplicas,
      Optional<ClusterReplica.ClusterPointer> homeCluster,
      Optional<Integer> signatureEntries,
      List<OverlayMessage> earlyMessages) {}

  static EpochState empty(Epoch previousEpoch, long startedAt) {
    return new EpochState(
        previousEpoch,
        startedAt,
        FormationState.EMPTY,
        ClusteringState.EMPTY,
        MembershipState.initial(startedAt));
  }

  long epoch() {
    return previousEpoch.number() + 1;
  }

  /** Whether this peer has a home cluster and knows that the overlay is built. */
  boolean isReady() {
    return membership.isReady();
  }

  HierarchyPosition position() {
    return new HierarchyPosition(
        clustering.heldReplicas(),
        membership.homeCluster(),
        membership.signatureEntries(),
        clustering.earlyMessages());
  }

  EpochState with(FormationState next) {
    return EpochStateBuilder.from(this).formation(next).build();
  }

  EpochState with(ClusteringState next) {
    return EpochStateBuilder.from(this).clustering(next).build();
  }

  EpochState with(MembershipState next) {
    return EpochStateBuilder.from(this).membership(next).build();
  }
}
