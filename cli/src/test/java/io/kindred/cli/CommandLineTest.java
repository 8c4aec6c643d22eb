package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingGroup;
import io.kindred.environment.topology.Topologies;
import io.kindred.learning.DataSources;
import io.kindred.learning.model.Models;
import io.kindred.learning.partition.Partitions;
import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CommandLineTest {
  private static final SortedMap<String, Catalogue<?>> LISTS =
      new TreeMap<>(
          Map.of(
              "methods", Methods.ALL,
              "datasets", DataSources.ALL,
              "models", Models.ALL,
              "partitions", Partitions.ALL,
              "topologies", Topologies.ALL,
              "discoveries", PeerDiscoveries.ALL));

  @TempDir private Path home;

  @Test
  void everyVerbExplainsItself() {
    assertThat(CommandResult.run().out()).contains("Start here:");
    assertThat(CommandResult.run("--version").out()).startsWith("kindred ");
    List<String> verbs = new ArrayList<>(Kindred.commandLine().getSubcommands().keySet());
    assertThat(verbs).contains("demo", "run", "sweep", "report").containsAll(LISTS.keySet());
    for (String verb : verbs) {
      CommandResult commandResult = CommandResult.run(verb, "--help");
      assertThat(commandResult.exitCode()).as(verb).isZero();
      assertThat(commandResult.out())
          .as(verb)
          .startsWith("Usage: kindred " + verb)
          .contains("--help");
      assertThat(commandResult.err()).as(verb).isEmpty();
    }
  }

  @Test
  void listsNameEveryChoiceAndItsParameters() {
    LISTS.forEach(
        (verb, catalogue) -> {
          CommandResult commandResult = CommandResult.run(verb);
          assertThat(commandResult.exitCode()).isZero();
          for (Class<?> choice : catalogue.choices()) {
            assertThat(commandResult.out())
                .contains(Catalogue.nameOf(choice) + "  -  " + Catalogue.summaryOf(choice) + "\n");
            settings(choice)
                .forEach(name -> assertThat(commandResult.out()).contains("\n    " + name + " "));
          }
        });
  }

  /** The names of the settings; those of a group are keys of the section that it stands in. */
  private static Stream<String> settings(Class<?> choice) {
    return Arrays.stream(choice.getRecordComponents())
        .flatMap(
            each ->
                each.isAnnotationPresent(SettingGroup.class)
                    ? settings(each.getType())
                    : Stream.of(each.getName()));
  }

  @Test
  void listsAsJsonAreOneDocument() {
    LISTS.forEach(
        (verb, catalogue) -> {
          JsonNode document = Json.tree(CommandResult.run(verb, "--json").out());
          assertThat(document.valueStream().map(choice -> choice.get("name").asString()))
              .containsExactlyElementsOf(catalogue.names());
        });
  }

  @Test
  void aRunPrintsATableAndWhereItsResultsAre() throws IOException {
    Path folder = home.resolve("out");
    CommandResult commandResult =
        CommandResult.run(
            "run", SmallExperimentFile.in(home).toString(), "--out", folder.toString());
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.out().lines().toList())
        .hasSize(4)
        .last()
        .isEqualTo("results: " + folder + "   picture: " + folder.resolve("report.html"));
    assertThat(commandResult.out()).contains("\ndfedavgm ");
    assertThat(commandResult.err())
        .startsWith("dfedavgm 100%")
        .endsWith("  done" + System.lineSeparator());
  }

  @Test
  void aRunAsJsonPrintsItsSummaryAndNothingElse() throws IOException {
    Path folder = home.resolve("out");
    CommandResult commandResult =
        CommandResult.run(
            "run",
            SmallExperimentFile.in(home).toString(),
            "--out",
            folder.toString(),
            "--json",
            "--profile",
            "smoke",
            "--seed",
            "7",
            "--workers",
            "1");
    assertThat(commandResult.out()).isEqualTo(Files.readString(folder.resolve("summary.json")));
    JsonNode summary = Json.tree(commandResult.out());
    assertThat(summary.get("rounds").asInt()).isEqualTo(1);
    assertThat(summary.get("seed").asInt()).isEqualTo(7);
  }

  @Test
  void aFinishedRunIsShownAgainWhenResumed() throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    String folder = home.resolve("out").toString();
    String first = CommandResult.run("run", file, "--out", folder).out();
    CommandResult again = CommandResult.run("run", file, "--out", folder, "--resume");
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).isEqualTo(first);
    assertThat(again.err()).isEmpty();
  }

  @Test
  void aRunSaysWhichEngineItTookWhereThatWasLeftOpen() throws IOException {
    Path file = SmallExperimentFile.in(home, "engine: auto\nseeds: [1, 2]\n");
    CommandResult commandResult =
        CommandResult.run("run", file.toString(), "--out", home.resolve("out").toString());
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.err().lines().filter(line -> line.contains("engine")))
        .singleElement()
        .asString()
        .startsWith("engine auto selects jvm: ");
  }

  @Test
  void aDivergedRunFailsWithItsReason() throws IOException {
    CommandResult commandResult =
        CommandResult.run(
            "run",
            SmallExperimentFile.in(home).toString(),
            "--out",
            home.resolve("out").toString(),
            "--set",
            "training.weightDecay=1e38");
    assertThat(commandResult.exitCode()).isEqualTo(1);
    assertThat(commandResult.out()).isEmpty();
    assertThat(commandResult.err().lines().toList().getLast())
        .matches(
            "kindred: training of peer \\d diverged \\(weights are no longer finite\\); lower the"
                + " learning rate");
  }

  @Test
  void aGridPrintsItsTableAndKeepsItInEveryFormat() throws IOException {
    Path file =
        SmallExperimentFile.in(
            home,
            """
            sweep: {method: [local, fedavg], partition.alpha: [0.1, 1.0]}
            seeds: [1, 2]
            table: {rows: method, columns: partition.alpha}
            """);
    Path folder = home.resolve("out");
    CommandResult commandResult =
        CommandResult.run(
            "sweep", file.toString(), "--out", folder.toString(), "--profile", "smoke");
    assertThat(commandResult.exitCode()).isZero();
    List<String> lines = commandResult.out().lines().toList();
    assertThat(lines.getFirst()).matches("method +0\\.1 +1\\.0 *");
    assertThat(lines.get(2)).matches("local +[0-9.]+ ± [0-9.]+\\*? +[0-9.]+ ± [0-9.]+\\*? *");
    assertThat(lines.get(3)).startsWith("fedavg ");
    for (String name : List.of("table.txt", "table.csv", "table.tex", "table.md", "report.html")) {
      assertThat(folder.resolve(name)).isNotEmptyFile();
    }
    assertThat(commandResult.err()).contains("[1/8] local, partition.alpha=0.1, seed=1 100%");
    CommandResult again =
        CommandResult.run(
            "run", file.toString(), "--out", folder.toString(), "--profile", "smoke", "--json");
    assertThat(again.err()).isEmpty();
    assertThat(Json.tree(again.out()).size()).isEqualTo(8);
  }

  @Test
  void aWarningThatAllCellsOfAGridShareIsPrintedOnce() throws IOException {
    Path file =
        SmallExperimentFile.in(
            home, "sweep: {method: [{name: dfca, clusters: 9}]}\nseeds: [1, 2]\n");
    CommandResult commandResult =
        CommandResult.run("sweep", file.toString(), "--out", home.resolve("out").toString());
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.err().lines().filter(line -> line.contains("warning: ")))
        .singleElement()
        .asString()
        .startsWith("kindred: warning: 'method.clusters': 9 models for 4 peers");
  }

  @Test
  void partOfAGridMayFailAndTheRestIsKept() throws IOException {
    Path file = SmallExperimentFile.in(home, "sweep: {training.weightDecay: [0, 1e38]}\n");
    Path folder = home.resolve("out");
    CommandResult commandResult =
        CommandResult.run("sweep", file.toString(), "--out", folder.toString());
    assertThat(commandResult.exitCode()).isEqualTo(4);
    assertThat(commandResult.out()).contains("\ndfedavgm ");
    assertThat(commandResult.err().lines().toList().getLast())
        .startsWith("failed: training.weightDecay=1e38: training of peer ");
  }

  @Test
  void aGridOfFailuresFails() throws IOException {
    Path file = SmallExperimentFile.in(home, "sweep: {training.weightDecay: [1e37, 1e38]}\n");
    CommandResult commandResult =
        CommandResult.run(
            "sweep",
            file.toString(),
            "--out",
            home.resolve("out").toString(),
            "--set",
            "training.epochs=20");
    assertThat(commandResult.exitCode()).isEqualTo(1);
    assertThat(commandResult.out()).isEmpty();
    assertThat(commandResult.err().lines().filter(line -> line.startsWith("failed: "))).hasSize(2);
  }

  @Test
  void reportsComeInEveryFormat() throws IOException {
    Path folder = home.resolve("out");
    CommandResult.run("run", SmallExperimentFile.in(home).toString(), "--out", folder.toString());
    assertThat(CommandResult.run("report", folder.toString()).out()).startsWith("method ");
    assertThat(CommandResult.run("report", folder.toString(), "--format", "csv").out())
        .startsWith("method,accuracy %");
    assertThat(CommandResult.run("report", folder.toString(), "--format", "LaTeX").out())
        .startsWith("\\begin{tabular}");
    assertThat(CommandResult.run("report", folder.toString(), "--format", "html").out())
        .startsWith("<!doctype html>");
    assertThat(CommandResult.run("report", home.toString()).out())
        .isEqualTo(CommandResult.run("report", folder.toString()).out());
  }

  @Test
  void listsEndWithALineThatCanBeCopied() {
    for (String verb : LISTS.keySet()) {
      String last = CommandResult.run(verb).out().lines().toList().getLast();
      String example = last.replaceFirst("In an experiment file: +(.*?)   or   .*", "$1");
      Experiment experiment =
          ExperimentFile.of(
                  ConfigFile.parse("copied.yaml", example),
                  Optional.empty(),
                  example.startsWith("method:") ? List.of() : List.of("method=local"))
              .experiment();
      assertThat(experiment.peers()).isPositive();
    }
  }
}
