package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CompareCommandTest {
  @TempDir private Path home;

  private CommandResult compare(String methods, String... more) throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    String[] all = new String[6 + more.length];
    System.arraycopy(
        new String[] {"compare", file, "--methods", methods, "--out", home.resolve("out") + ""},
        0,
        all,
        0,
        6);
    System.arraycopy(more, 0, all, 6, more.length);
    return CommandResult.run(all);
  }

  @Test
  void everyMethodMeetsEverySeed() throws IOException {
    CommandResult commandResult =
        compare("local,{name: dfedavgm, momentum: 0.5}", "--seeds", "1,2", "--json");

    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(Json.tree(commandResult.out()).valueStream().map(CompareCommandTest::name))
        .containsExactly("local 1", "local 2", "dfedavgm 1", "dfedavgm 2");
  }

  /** 4 peers with 60 samples each keep a fifth of them for tests: 48 samples a seed. */
  @Test
  void saysHowManySamplesStandBehindADifference() throws IOException {
    CommandResult text = compare("local,fedavg", "--seeds", "1,2");
    assertThat(text.out().replace('\n', ' '))
        .contains("test samples 96 (4 peers x 2 seeds); smallest detectable difference from ")
        .contains("add seeds (--seeds) or test samples (evaluation.localTest / dataset.samples)");

    CommandResult json = compare("local,fedavg", "--seeds", "1,2", "--json");
    List<JsonNode> differences =
        Json.tree(json.out())
            .valueStream()
            .filter(summary -> summary.has("againstBest"))
            .map(summary -> summary.get("againstBest"))
            .toList();
    assertThat(differences)
        .hasSize(2)
        .allSatisfy(
            difference -> {
              assertThat(difference.get("testSamples").asInt()).isEqualTo(96);
              assertThat(difference.get("detectablePoints").asDouble()).isGreaterThan(2);
              assertThat(difference.get("warning").asString()).contains("2 points");
            });
    String row = CommandResult.run("report", home.resolve("out") + "", "--json").out();
    assertThat(Json.tree(row).valueStream().filter(each -> each.has("againstBest")).toList())
        .singleElement()
        .satisfies(each -> assertThat(each.get("againstBest")).isEqualTo(differences.getFirst()));
  }

  private static String name(JsonNode summary) {
    return summary.get("method").asString() + " " + summary.get("seed").asInt();
  }

  @Test
  void whatIsFinishedIsNotRunAgain() throws IOException {
    compare("local");
    CommandResult commandResult = compare("local,fedavg");

    assertThat(commandResult.err()).contains("[2/2] fedavg  done").doesNotContain("local");
    assertThat(commandResult.out()).contains("local").contains("fedavg");
  }

  @Test
  void aMethodThatDoesNotExistIsNamedInOneLine() throws IOException {
    CommandResult commandResult = compare("local,fedavgg");

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err().lines())
        .singleElement()
        .satisfies(line -> assertThat(line).contains("fedavgg").contains("did you mean 'fedavg'?"));
  }

  @Test
  void aSenselessNumberAtOnceIsRefused() throws IOException {
    CommandResult commandResult = compare("local", "--at-once", "-2");

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("--at-once must be a whole number of at least 1");
  }

  @Test
  void oneWrongSettingIsReportedOnceForAllCellsAndWithItsPlace() throws IOException {
    CommandResult commandResult =
        compare("local,fedavg", "--seeds", "1,2", "--set", "partition.minimum=1000");

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err().lines().filter(line -> line.contains("partition.minimum")))
        .containsExactly(
            "failed: local, seed=1 and 3 more: --set partition.minimum=1000:"
                + " 'partition.minimum': 4 peers cannot hold 1000 samples each when there are only"
                + " 240; set the minimum to 60 or less, or use fewer peers or more samples");
  }

  @Test
  void aWrongValueOfASweepIsReportedAtTheSweep() throws IOException {
    String file =
        SmallExperimentFile.in(
                home, "sweep: {method: [local, fedavg], partition.minimum: [20, 1000]}\n")
            .toString();
    CommandResult commandResult =
        CommandResult.run("sweep", file, "--out", home.resolve("out").toString());

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.PARTLY_FAILED);
    assertThat(commandResult.err().lines().filter(line -> line.startsWith("failed: ")))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith("failed: local, partition.minimum=1000 and 1 more: " + file + ":12")
                    .contains("'partition.minimum': 4 peers cannot hold 1000 samples each"));
  }

  @Test
  void theHelpNamesTheNumberOfRunsAtOnceThatEachCommandTakes() throws IOException {
    for (String command : List.of("run", "sweep", "compare", "tune")) {
      assertThat(CommandResult.run(command, "--help").out().replaceAll("\\s+", " "))
          .contains(
              "(default: one per core for compare and tune, 1 for run and sweep, 256 for --engine"
                  + " spark)");
    }
    CommandResult alone =
        CommandResult.run(
            "sweep",
            SmallExperimentFile.in(home, "seeds: [1, 2]\n").toString(),
            "--out",
            home.resolve("sweep").toString());
    assertThat(alone.err()).as("one run after another").contains("[1/2] seed=1 100%");
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    assertThat(compare("local,fedavg").err()).as("runs side by side").doesNotContain("100%");
  }
}
