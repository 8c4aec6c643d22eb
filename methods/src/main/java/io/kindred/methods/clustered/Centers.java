package io.kindred.methods.clustered;

import io.kindred.core.config.Named;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.LocalState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * State of a peer of {@link FedSpd}.
 *
 * @param sampleClusters the cluster of each training sample
 * @param trainedCluster the cluster whose center the peer trained last
 * @param coincided whether all centers were equal when the round began
 * @param released the trained center as it may be sent, if privacy changes it
 * @param receivedClusters the own cluster of each center received in this round
 * @param currentSlot the center that is being averaged
 * @param finalEpochs epochs of the final phase that are trained already
 */
@Named("fedspd/centers")
@Buildable
record Centers(
    List<Weights> models,
    Ints sampleClusters,
    int trainedCluster,
    boolean coincided,
    Optional<Weights> released,
    Ints receivedClusters,
    int currentSlot,
    int finalEpochs)
    implements LocalState {
  static Centers of(List<Weights> models, int[] assigned) {
    return new Centers(models, Ints.wrap(assigned), 0, false, Optional.empty(), Ints.of(), 0, 0);
  }

  Centers with(int slot, Weights center) {
    return CentersBuilder.from(this).models(ModelSlots.replace(models, slot, center)).build();
  }

  /** The state at the beginning of a round that trains a cluster. */
  Centers withTrainedCluster(int slot) {
    return CentersBuilder.from(this)
        .trainedCluster(slot)
        .coincided(models.stream().allMatch(models.getFirst()::equals))
        .released(Optional.empty())
        .receivedClusters(Ints.of())
        .currentSlot(0)
        .build();
  }

  Centers withSampleClusters(int[] clusters) {
    return CentersBuilder.from(this).sampleClusters(Ints.wrap(clusters)).build();
  }

  Centers withReleased(Weights center) {
    return CentersBuilder.from(this).released(Optional.of(center)).build();
  }

  Centers withReceivedClusters(Ints clusters) {
    return CentersBuilder.from(this).receivedClusters(clusters).currentSlot(0).build();
  }

  Centers withCurrentSlot(int slot) {
    return CentersBuilder.from(this).currentSlot(slot).build();
  }

  Centers withFinalEpochs(int trained) {
    return CentersBuilder.from(this).finalEpochs(trained).build();
  }

  /** How many neighbours trained the same cluster in this round. */
  long sameClusterNeighbours() {
    return Arrays.stream(receivedClusters.shared())
        .filter(cluster -> cluster == trainedCluster)
        .count();
  }

  double[] shares() {
    return ModelSlots.shares(sampleClusters.copy(), models.size());
  }
}
