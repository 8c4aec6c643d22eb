package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflMessage.ClusterAverage;
import java.util.List;
import java.util.Optional;

/**
 * State of a head in its region.
 *
 * @param waiting the average of its cluster, while the head waits for the average of the region
 * @param timerNumber the number of the timer after which it waits no longer
 * @param cycle as the leader: the average that it collects models for, counted from one
 * @param received as the leader: the models of clusters for this average, and their senders
 * @param absent as the leader: clusters that it no longer waits for
 * @param latest as the leader: the average before
 * @param averaging as the leader: whether it averages now
 */
@Buildable
record RegionState(
    Optional<ClusterAverage> waiting,
    long timerNumber,
    int cycle,
    List<ReceivedAverage> received,
    List<Integer> absent,
    Optional<Weights> latest,
    boolean averaging) {
  /** A model of a cluster, from its head or its deputy. */
  record ReceivedAverage(PeerId from, ClusterAverage average) {}

  static final RegionState INITIAL =
      new RegionState(Optional.empty(), 0, 1, List.of(), List.of(), Optional.empty(), false);

  RegionState {
    received = List.copyOf(received);
    absent = List.copyOf(absent);
  }
}
