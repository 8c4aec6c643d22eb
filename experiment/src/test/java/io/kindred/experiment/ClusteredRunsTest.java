package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The cluster metrics in the summary of a run. */
class ClusteredRunsTest {
  @Test
  void aRunWithPlantedClustersTellsHowWellTheyWereFound(@TempDir Path folder) {
    SmallRuns.runUninterrupted(
        SmallExperiment.with(
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
  void aMethodThatSortsSamplesTellsHowManyAreWhereTheyWerePlanted(@TempDir Path folder) {
    SmallRuns.runUninterrupted(
        SmallExperiment.with("method={name: fedspd, clusters: 1}", "partition=rotation-mixture"),
        folder);
    JsonNode clusters =
        Json.tree(RunFolder.readText(new RunFolder(folder).summary())).get("clusters");
    // One center takes all samples, half of which are rotated before some are held out for tests.
    assertThat(clusters.get("samples").asDouble()).isCloseTo(0.5, within(0.1));
  }
}
