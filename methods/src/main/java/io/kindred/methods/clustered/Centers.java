package io.kindred.methods.clustered;

import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
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
 * @param allTrained whether the peer trained all centers in this round
 * @param coincided whether all centers were equal when the round began
 * @param released the trained center as it may be sent, if privacy changes it
 * @param receivedClusters the own cluster of each center received in this round
 * @param currentSlot the center that is being averaged, or trained where a round trains all
 * @param labels the own clusters of neighbours' clusters that were matched last
 * @param finalEpochs epochs of the final phase that are trained already
 */
@Named("fedspd/centers")
@Buildable
record Centers(
    List<Weights> models,
    Ints sampleClusters,
    int trainedCluster,
    boolean allTrained,
    boolean coincided,
    Optional<Weights> released,
    Ints receivedClusters,
    int currentSlot,
    List<Label> labels,
    int finalEpochs)
    implements LocalState {
  /** A neighbour's cluster, and the peer's own cluster with the most similar center. */
  record Label(PeerId neighbour, int cluster, int own) {}

  static Centers of(List<Weights> models, int[] assigned) {
    return new Centers(
        models, Ints.wrap(assigned), 0, false, false, Optional.empty(), Ints.of(), 0, List.of(), 0);
  }

  Centers with(int slot, Weights center) {
    return CentersBuilder.from(this).models(ModelSlots.replace(models, slot, center)).build();
  }

  /** The state at the beginning of a round that trains a cluster. */
  Centers withTrainedCluster(int slot) {
    return CentersBuilder.from(this)
        .trainedCluster(slot)
        .allTrained(false)
        .coincided(models.stream().allMatch(models.getFirst()::equals))
        .released(Optional.empty())
        .receivedClusters(Ints.of())
        .currentSlot(0)
        .build();
  }

  /** The state at the beginning of a round that trains all clusters, from the first on. */
  Centers withAllTrained() {
    return CentersBuilder.from(withTrainedCluster(0)).allTrained(true).build();
  }

  /** Whether the peer trained this cluster in this round. */
  boolean trained(int slot) {
    return allTrained || slot == trainedCluster;
  }

  Centers withLabels(List<Label> matched) {
    return CentersBuilder.from(this).labels(matched).build();
  }

  /** The own cluster of a neighbour's cluster: as matched, else the one of the same number. */
  int ownCluster(PeerId neighbour, int cluster) {
    return labels.stream()
        .filter(each -> each.neighbour().equals(neighbour) && each.cluster() == cluster)
        .mapToInt(Label::own)
        .findFirst()
        .orElse(cluster);
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
