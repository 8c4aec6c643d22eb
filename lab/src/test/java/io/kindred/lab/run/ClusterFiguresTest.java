package io.kindred.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.files.json.Json;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Glyphs;
import io.kindred.learning.partition.Holdout.Parts;
import io.kindred.learning.partition.Variation;
import io.kindred.learning.training.Holdings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ClusterFiguresTest {
  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  @Test
  void theBestMatchingCounts() {
    int[] planted = {0, 0, 0, 1, 1, 1, 2, 2};
    assertThat(ClusterFigures.matched(new int[] {2, 2, 2, 0, 0, 0, 1, 1}, planted)).isEqualTo(1);
    // Cluster 0 holds two of the first and three of the second; greedy by size would take the
    // second and leave the first with one, which is also the best: 3 + 1 + 2 of 8.
    assertThat(ClusterFigures.matched(new int[] {0, 0, 1, 0, 0, 0, 2, 2}, planted))
        .isEqualTo(6 / 8.0);
    assertThat(ClusterFigures.matched(new int[8], planted)).as("collapsed").isEqualTo(3 / 8.0);
    assertThat(ClusterFigures.matched(new int[] {0, 1, 2, 3, 4, 5, 6, 7}, planted))
        .as("one each")
        .isEqualTo(3 / 8.0);
  }

  @Test
  void consensusIsTheMeanSquaredDistanceToTheMean() {
    Consensus consensus = new Consensus();
    consensus.add(new PeerId(0), List.of(weights(0, 0), weights(5, 5)));
    consensus.add(new PeerId(1), List.of(weights(2, 4), weights(5, 5)));
    consensus.add(new PeerId(1), List.of(weights(9, 9), weights(9, 9)));
    // The mean is (1, 2), and both are 1 + 4 away from it.
    assertThat(consensus.distances(2).orElseThrow().getFirst()).isCloseTo(5, within(1e-9));
    assertThat(consensus.distances(2).orElseThrow().getLast()).isCloseTo(0, within(1e-9));
    assertThat(consensus.distances(3)).as("somebody was not heard").isEmpty();
  }

  @Test
  void aRunWithPlantedClustersTellsHowWellTheyWereFound(@TempDir Path folder) {
    SmallRuns.whole(
        SmallRuns.experiment(
            "method=dfca", "partition={name: rotation-clusters, degrees: [0, 180]}"),
        folder);
    JsonNode clusters =
        Json.tree(RunFolder.readText(new RunFolder(folder).summary())).get("clusters");
    assertThat(clusters.get("inUse").asInt()).isBetween(1, 2);
    assertThat(clusters.get("accuracy").asDouble()).isBetween(0.5, 1.0);
    assertThat(clusters.get("consensus")).hasSize(2);
    assertThat(clusters.has("samples")).as("samples stay together").isFalse();
  }

  @Test
  void samplesAreComparedInThePeersOwnOrder() {
    Dataset six = new Glyphs(6, 4, 2, 2, 1, 0.1, 0).load(new RandomStreams(1), DataFiles.NONE);
    Ints upright = Ints.of(0, 0, 0, 0, 0, 0);
    Variation truth =
        new Variation(
            Ints.of(0, 1, 2, 3, 4, 5),
            upright,
            Ints.of(0, 1, 1, 0, 1, 0),
            2,
            List.of(Ints.of(0), Ints.of(0)));
    Holdings holdings =
        Holdings.varied(
            six,
            List.of(
                new Parts(Ints.of(0, 2, 5), Ints.of(), Ints.of()),
                new Parts(Ints.of(4, 1), Ints.of(), Ints.of())),
            truth);
    Unwritten told = Unwritten.nothing();
    told.sorted().put(0L, Ints.of(1, 0, 1));
    SortedMap<Long, Integer> found = new TreeMap<>(Map.of(0L, 1, 1L, 0));
    assertThat(ClusterFigures.of(found, holdings, told).orElseThrow().samples())
        .as("somebody was not heard")
        .isEmpty();
    told.sorted().put(1L, Ints.of(0, 1));
    assertThat(ClusterFigures.of(found, holdings, told).orElseThrow().samples())
        .as("with the numbers exchanged, all but the last sample")
        .contains(0.8);
  }

  @Test
  void aMethodThatSortsSamplesTellsHowManyAreWhereTheyWerePlanted(@TempDir Path folder) {
    SmallRuns.whole(
        SmallRuns.experiment("method={name: fedspd, clusters: 1}", "partition=rotation-mixture"),
        folder);
    JsonNode clusters =
        Json.tree(RunFolder.readText(new RunFolder(folder).summary())).get("clusters");
    // One center takes all samples, of which half are turned before some are kept for tests.
    assertThat(clusters.get("samples").asDouble()).isCloseTo(0.5, within(0.1));
  }
}
