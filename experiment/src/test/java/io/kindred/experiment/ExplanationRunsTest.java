package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a run says about the models that its peers deploy. */
class ExplanationRunsTest {
  @TempDir private Path home;

  private static Experiment kin() {
    return SmallExperiment.with(
        "method={name: kin, k: 2, choice: {by: fixed, deploy: shared}}",
        "training={batch: 16, momentum: 0.9}",
        "partition={name: rotation-clusters, degrees: [0, 180]}",
        "seed=41");
  }

  @Test
  void theSentenceOfAPeerStandsInTheRunOnTheCardAndOnThePage() {
    SmallRuns.runUninterrupted(kin(), home);
    RunFolder folder = new RunFolder(home);
    JsonNode explanations = Json.tree(RunFolder.readText(folder.explanations()));
    assertThat(explanations.get("groups").asString()).isEqualTo("planted");
    assertThat(explanations.get("peers")).hasSize(4);
    String page = RunFolder.readText(folder.report());
    for (JsonNode each : explanations.get("peers")) {
      String sentence = each.get("sentence").asString();
      assertThat(sentence).startsWith("deploys its shared model").contains("learned");
      assertThat(page).contains(sentence);
      assertThat(
              RunFolder.readText(
                  folder.models().resolve("peer-" + each.get("peer").asInt() + ".md")))
          .contains("| why this model | the peer " + sentence + " |");
    }
    assertThat(folder.plots().resolve("who-pulled-whom.svg")).isNotEmptyFile();
  }

  /** The purity of a line is computed again from its mixed models and the planted groups. */
  @Test
  void thePurityOfALineIsThatOfItsMixedModels() {
    SmallRuns.runUninterrupted(kin(), home);
    RunFolder folder = new RunFolder(home);
    int[] group = new int[4];
    Json.tree(RunFolder.readText(folder.explanations()))
        .get("peers")
        .forEach(each -> group[each.get("peer").asInt()] = each.get("group").asInt());
    assertThat(group).containsOnly(0, 1);
    int checked = 0;
    for (String line : RunFolder.readText(folder.metrics()).lines().toList()) {
      JsonNode node = Json.tree(line);
      if (!node.path("extra").has("purity")) {
        continue;
      }
      double inside = 0;
      double all = 0;
      for (JsonNode each : node.get("mixed")) {
        all += each.get("weight").asDouble();
        inside +=
            group[each.get("peer").asInt()] == group[node.get("peer").asInt()]
                ? each.get("weight").asDouble()
                : 0;
      }
      assertThat(node.get("extra").get("purity").asDouble()).isCloseTo(inside / all, within(1e-4));
      checked++;
    }
    assertThat(checked).isPositive();
  }

  @Test
  void aMethodThatReportsNoReasonsHasCardsWithoutThem() {
    SmallRuns.runUninterrupted(SmallExperiment.with("method=local", "seed=42"), home);
    RunFolder folder = new RunFolder(home);
    assertThat(Files.exists(folder.explanations())).isFalse();
    assertThat(RunFolder.readText(folder.models().resolve("peer-0.md")))
        .startsWith("# Model of peer 0\n")
        .contains("on its own", "| method | `local` |")
        .doesNotContain("why this model", "models came from");
  }

  @Test
  void aMethodThatMixesWithoutAChoiceSaysFromWhomAPeerLearned() {
    SmallRuns.runUninterrupted(SmallExperiment.with("seed=42"), home);
    assertThat(RunFolder.readText(new RunFolder(home).models().resolve("peer-0.md")))
        .contains("| method | `dfedavgm` |", "| why this model | the peer learned")
        .doesNotContain("deploys");
  }
}
