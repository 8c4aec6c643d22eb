package io.kindred.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.synthetic.Glyphs;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.partition.SampleTransformation;
import io.kindred.learning.training.PeerDatasets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {
  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  @Test
  void theBestMatchingCounts() {
    int[] trueClusters = {0, 0, 0, 1, 1, 1, 2, 2};
    assertThat(ClusterMetrics.bestMatchingShare(new int[] {2, 2, 2, 0, 0, 0, 1, 1}, trueClusters))
        .isEqualTo(1);
    // Cluster 0 holds two of the first and three of the second; greedy by size would take the
    // second and leave the first with one, which is also the best: 3 + 1 + 2 of 8.
    assertThat(ClusterMetrics.bestMatchingShare(new int[] {0, 0, 1, 0, 0, 0, 2, 2}, trueClusters))
        .isEqualTo(6 / 8.0);
    assertThat(ClusterMetrics.bestMatchingShare(new int[8], trueClusters))
        .as("collapsed")
        .isEqualTo(3 / 8.0);
    assertThat(ClusterMetrics.bestMatchingShare(new int[] {0, 1, 2, 3, 4, 5, 6, 7}, trueClusters))
        .as("one each")
        .isEqualTo(3 / 8.0);
  }

  @Test
  void consensusIsTheMeanSquaredDistanceToTheMean() {
    ConsensusDistance consensusDistance = new ConsensusDistance();
    consensusDistance.add(new PeerId(0), List.of(weights(0, 0), weights(5, 5)));
    consensusDistance.add(new PeerId(1), List.of(weights(2, 4), weights(5, 5)));
    consensusDistance.add(new PeerId(1), List.of(weights(9, 9), weights(9, 9)));
    // The mean is (1, 2), and both are 1 + 4 away from it.
    assertThat(consensusDistance.distances(2).orElseThrow().getFirst()).isCloseTo(5, within(1e-9));
    assertThat(consensusDistance.distances(2).orElseThrow().getLast()).isCloseTo(0, within(1e-9));
    assertThat(consensusDistance.distances(3)).as("one peer reported no models").isEmpty();
  }

  @Test
  void samplesAreComparedInThePeersOwnOrder() {
    Dataset six = new Glyphs(6, 4, 2, 2, 1, 0.1, 0).load(new RandomStreams(1), DataFiles.NONE);
    Ints upright = Ints.of(0, 0, 0, 0, 0, 0);
    SampleTransformation truth =
        new SampleTransformation(
            Ints.of(0, 1, 2, 3, 4, 5),
            upright,
            Ints.of(0, 1, 1, 0, 1, 0),
            2,
            List.of(Ints.of(0), Ints.of(0)));
    PeerDatasets datasets =
        PeerDatasets.transformed(
            six,
            List.of(
                new PeerSplit(Ints.of(0, 2, 5), Ints.of(), Ints.of()),
                new PeerSplit(Ints.of(4, 1), Ints.of(), Ints.of())),
            truth);
    PendingMetrics pending = PendingMetrics.empty();
    pending.sampleClusters().put(0L, Ints.of(1, 0, 1));
    SortedMap<Long, Integer> found = new TreeMap<>(Map.of(0L, 1, 1L, 0));
    assertThat(ClusterMetrics.of(found, datasets, pending).orElseThrow().samples())
        .as("one peer reported no models")
        .isEmpty();
    pending.sampleClusters().put(1L, Ints.of(0, 1));
    assertThat(ClusterMetrics.of(found, datasets, pending).orElseThrow().samples())
        .as("with the numbers exchanged, all but the last sample")
        .contains(0.8);
  }
}
