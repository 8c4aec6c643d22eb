package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.experiment.Run.Outcome;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Runs with hostile peers and with rules of mixing. */
class HostileRunsTest {
  @TempDir private Path home;

  private JsonNode run(String name, String... assignments) {
    Path folder = home.resolve(name);
    SmallRuns.runUninterrupted(SmallExperiment.with(assignments), folder);
    return Json.tree(RunFolder.readText(new RunFolder(folder).summary()));
  }

  private double accuracy(String name, String... assignments) {
    return run(name, assignments).at("/accuracy/local/mean").asDouble();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dfedavgm | noise | norm-clip",
        "dfedavgm | {name: free-rider, sends: old} | held-out-gate",
        "fedavg | count-liar | multi-krum",
        "{name: kin, k: 2, choice: {by: fixed, deploy: shared}} | sketch-liar | cosine-gate",
        "{name: kin, k: 2, choice: {by: fixed, deploy: shared}} | answer-forger | geometric-median",
      })
  void stoppedAndResumedEqualsUninterrupted(String method, String behaviour, String rule) {
    Experiment experiment =
        SmallExperiment.with(
            "method=" + method,
            "adversaries={peers: [1], behaviour: " + behaviour + "}",
            "robust=" + rule,
            "evaluation.validation=0.1");
    SmallRuns.Results whole = SmallRuns.runToEnd(experiment, home.resolve("whole"), warning -> {});
    for (int point : List.of(3, 7)) {
      Path folder = home.resolve("stopped-" + point);
      assertThat(SmallRuns.runUntilStopped(point, experiment, folder, warning -> {}))
          .isEqualTo(Outcome.STOPPED);
      assertThat(SmallRuns.runToEnd(experiment, folder, warning -> {}))
          .as("stop %d", point)
          .isEqualTo(whole);
    }
  }

  @Test
  void hostilePeersAreNamedAndNoFigureCountsThem() throws IOException {
    JsonNode summary =
        run("flip", "adversaries={peers: [1, 2], behaviour: label-flip}", "evaluation.every=3");
    assertThat(summary.at("/adversaries").toString())
        .isEqualTo("{\"behaviour\":\"label-flip\",\"peers\":[1,2]}");
    RunFolder folder = new RunFolder(home.resolve("flip"));
    JsonNode named = Json.tree(RunFolder.readText(folder.adversaries()));
    assertThat(named.at("/honest").toString()).isEqualTo("[0,3]");
    RunRecord read = new RunReader().read(folder.path());
    assertThat(read.lastByPeer().keySet()).containsExactlyInAnyOrder("0", "3");
    assertThat(read.notes()).anyMatch(note -> note.contains("2 of 4 peers are hostile"));
    double mean =
        read.lastByPeer().values().stream().mapToDouble(Double::doubleValue).average().orElse(-1);
    assertThat(summary.at("/accuracy/local/mean").asDouble()).isCloseTo(mean, within(1e-9));
    assertThat(RunFolder.readText(folder.metrics())).contains("\"peer\":1");
  }

  @Test
  void aRunOfHonestPeersNamesNobody() {
    assertThat(run("honest").has("adversaries")).isFalse();
    assertThat(new RunFolder(home.resolve("honest")).adversaries()).doesNotExist();
  }

  @Test
  void noiseRuinsAveragesAndTheMedianStandsIt() {
    String[] base = {"peers=6", "topology=complete", "rounds=6", "evaluation.every=6"};
    String hostile = "adversaries={peers: [1], behaviour: {name: noise, factor: 20}}";
    double honest = accuracy("clean", base);
    double ruined = accuracy("ruined", with(base, hostile));
    double median = accuracy("median", with(base, hostile, "robust=median"));
    assertThat(ruined).isLessThan(honest - 0.2);
    assertThat(median).isGreaterThan(honest - 0.1);
  }

  @Test
  void theSuccessOfABackDoorIsMeasuredOnHonestPeers() {
    String[] base = {"peers=6", "topology=complete", "rounds=6", "evaluation.every=6"};
    String door =
        "adversaries={peers: [1, 2], behaviour: {name: back-door, target: 1, side: 4, value: 4}}";
    double success = run("door", with(base, door)).at("/extra/backDoor").asDouble();
    assertThat(success).isGreaterThan(0.5);
  }

  private static String[] with(String[] some, String... more) {
    String[] all = new String[some.length + more.length];
    System.arraycopy(some, 0, all, 0, some.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  @Test
  void theRuleNoneChangesNoByte() {
    assertThat(run("none", "robust=none").get("traceHash"))
        .isEqualTo(run("plain").get("traceHash"));
    assertThat(run("clip", "robust=norm-clip").get("traceHash"))
        .isNotEqualTo(run("again").get("traceHash"));
  }

  @Test
  void aRuleThatComparesLossesNeedsSamples() {
    assertThatThrownBy(() -> SmallExperiment.with("robust=held-out-gate"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("validation");
    assertThatThrownBy(
            () ->
                SmallExperiment.with(
                    "robust=held-out-gate", "evaluation.validation=0.1", "method=fedavg"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("server");
    assertThatThrownBy(() -> SmallExperiment.with("adversaries.peers=[4]"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no peer 4");
  }
}
