package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.experiment.SmallRuns.Results;
import io.kindred.runtime.SmallExperiment;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the peers of kin deploy where the data leave no doubt. */
class KinChoiceRunsTest {
  /** The number of the shared model in metrics. */
  private static final int SHARED = 0;

  @TempDir private Path home;

  private static final String FILE =
      """
      method: {name: kin, k: 5}
      dataset: {name: glyphs, samples: 480, testSamples: 60, classes: 6}
      model: softmax
      partition: iid
      topology: ring
      peers: 8
      rounds: 12
      seed: 61
      training: {batch: 16, momentum: 0.9, velocity: keep}
      evaluation: {every: 12}
      """;

  /** The lines of the last round, one for each peer. */
  private List<JsonNode> lastRound() {
    Results results = SmallRuns.runUninterrupted(SmallExperiment.parse(FILE), home);
    return results
        .metrics()
        .lines()
        .map(Json::tree)
        .filter(each -> each.get("round").asInt() == 12 && each.get("extra").has("choice"))
        .toList();
  }

  @Test
  void peersWithEqualDataAllChooseTheSharedModel() {
    List<JsonNode> lines = lastRound();
    assertThat(lines).hasSize(8);
    assertThat(lines)
        .extracting(each -> each.get("extra").get("choice").asInt())
        .containsOnly(SHARED);
  }
}
