package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TuneCommandTest {
  @TempDir private Path home;

  private Path out() {
    return home.resolve("out");
  }

  private CommandResult tune(String... arguments) throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    return CommandResult.run(
        Stream.concat(Stream.of("tune", file, "--out", out().toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void aTuningShowsWhatEveryMethodIsBestWithAndWritesAFileForIt() throws IOException {
    CommandResult result = tune("--methods", "fedavg,dfedavgm", "--budget", "3");

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err())
        .contains(
            "the file keeps no validation samples; evaluation.validation is set to 0.2, also in"
                + " tuned.yaml")
        .contains("[1/6]");
    assertThat(result.out())
        .contains("default %", "best %", "chosen settings", "learningRate=")
        .contains("all tries: " + out().resolve("tries.csv"))
        .contains("on the test samples: ./kindred sweep " + out().resolve("tuned.yaml"));
    assertThat(Files.readAllLines(out().resolve("tries.csv"))).hasSize(7);

    CommandResult tested =
        CommandResult.run(
            "sweep",
            out().resolve("tuned.yaml").toString(),
            "--out",
            home.resolve("tested").toString(),
            "--json");
    assertThat(tested.exitCode()).as(tested.err()).isZero();
    assertThat(
            Json.tree(tested.out()).valueStream().map(summary -> summary.get("method").asString()))
        .containsExactly("fedavg", "dfedavgm");
  }

  @Test
  void aRepeatedTuningRunsNothingAgainAndSaysTheSame() throws IOException {
    String[] arguments = {"--methods", "fedavg", "--budget", "2", "--search", "grid"};
    CommandResult first = tune(arguments);
    String record = Files.readString(out().resolve("tries.csv"));
    String tuned = Files.readString(out().resolve("tuned.yaml"));
    CommandResult again = tune(arguments);

    assertThat(again.out()).isEqualTo(first.out());
    assertThat(again.err()).doesNotContain("[1/2]");
    assertThat(out().resolve("tries.csv")).hasContent(record);
    assertThat(out().resolve("tuned.yaml")).hasContent(tuned);
    assertThat(tuned)
        .startsWith("# Made by: ./kindred tune ")
        .contains(" --methods 'fedavg' --budget 2 --search grid --out ");
  }

  @Test
  void theResultAsJsonIsOneDocument() throws IOException {
    CommandResult result =
        tune("--methods", "local,fedavg", "--budget", "2", "--seeds", "1,2", "--json");

    JsonNode document = Json.tree(result.out());
    assertThat(document.get("tries").size()).isEqualTo(8);
    assertThat(document.get("tuned").asString()).isEqualTo(out().resolve("tuned.yaml").toString());
    JsonNode fedavg = document.get("methods").get(1);
    assertThat(fedavg.get("method").asString()).isEqualTo("fedavg");
    assertThat(fedavg.get("tries").asInt()).isEqualTo(2);
    assertThat(fedavg.get("defaultScore").asDouble()).isBetween(0.0, 1.0);
    assertThat(fedavg.get("settings").propertyNames())
        .containsExactly("method.fineTune", "training.learningRate");
  }

  @Test
  void aMethodWhoseTriesAllFailIsNamedAndTheOthersAreWritten() throws IOException {
    CommandResult result = tune("--methods", "local,{name: fedprox, mu: 1e38}", "--budget", "1");

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.PARTLY_FAILED);
    assertThat(result.err()).contains("failed: every try of fedprox mu=1e38; the first: ");
    assertThat(Files.readString(out().resolve("tuned.yaml")))
        .contains("fedprox mu=1e38: 1 tries, 1 failed; left out of this file")
        .doesNotContain("  name: fedprox");
  }

  @Test
  void aTuningInWhichEveryTryFailsWritesNoFile() throws IOException {
    CommandResult result =
        tune("--methods", "local,fedavg", "--budget", "1", "--set", "training.weightDecay=1e38");

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .contains("failed: every try of local; the first: ")
        .contains("diverged");
    assertThat(out().resolve("tuned.yaml")).doesNotExist();
    assertThat(Files.readAllLines(out().resolve("tries.csv"))).hasSize(3);
  }

  @Test
  void mistakesAreRefusedInOneLineWithARemedy() throws IOException {
    refused("did you mean 'fedavg'?", "--methods", "local,fedavgg", "--budget", "2");
    refused(
        "--budget must be a whole number of at least 1, but is '0'",
        "--methods",
        "local",
        "--budget",
        "0");
    refused(
        "--search must be random or grid, but is 'bayes'",
        "--methods",
        "local",
        "--budget",
        "2",
        "--search",
        "bayes");
    refused(
        "has no range; write KEY=RANGE",
        "--methods",
        "local",
        "--budget",
        "2",
        "--param",
        "training.momentum");
    refused(
        "--seeds names a seed twice; name each seed once",
        "--methods",
        "local",
        "--budget",
        "2",
        "--seeds",
        "1,1");
  }

  private void refused(String message, String... arguments) throws IOException {
    CommandResult result = tune(arguments);
    assertThat(result.exitCode()).as(message).isEqualTo(ExitCode.WRONG_USE);
    assertThat(result.err().lines().toList())
        .singleElement()
        .satisfies(line -> assertThat(line).contains(message));
    assertThat(out()).doesNotExist();
  }

  @Test
  void theHelpTeachesRangesByExamples() {
    assertThat(CommandResult.run("tune", "--help").out())
        .contains("training.momentum=0..0.9", "tries.csv", "tuned.yaml", "--budget");
    assertThat(CommandResult.run("methods").out().replaceAll("\\s+", " "))
        .contains("default 0.1; tuned over 0.01..2 log");
  }
}
