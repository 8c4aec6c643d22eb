package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.cli.export.TrackingServer;
import io.kindred.cli.query.RunTables;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

class ExportCommandTest {
  @TempDir private Path home;
  private Path run;

  @BeforeEach
  void runSomething() throws IOException {
    run = home.resolve("mine");
    CommandResult commandResult =
        CommandResult.run("run", SmallExperimentFile.in(home).toString(), "--out", run.toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
  }

  private CommandResult export(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "export";
    all[1] = run.toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return CommandResult.run(all);
  }

  /** Four peers, two rounds, two stages: sixteen lines of metrics. */
  @Test
  void tablesHoldEveryLineInBothForms() throws IOException {
    CommandResult commandResult = export("--parquet", home + "/p", "--csv", home + "/c");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.out().lines())
        .hasSize(8)
        .allMatch(line -> line.startsWith("written: "));
    List<String> metrics = Files.readAllLines(home.resolve("c/metrics.csv"));
    assertThat(metrics).hasSize(17);
    assertThat(metrics.getFirst()).startsWith("run,round,peer,stage,loss,accuracy,samples");
    assertThat(metrics.get(1)).startsWith("mine,1,0,trained,");
    List<String> summary = Files.readAllLines(home.resolve("c/summary.csv"));
    assertThat(summary).hasSize(2);
    assertThat(summary.getFirst()).contains(",accuracy.local.mean,");
    assertThat(summary.get(1)).startsWith("mine,");
    List<String> confusion = Files.readAllLines(home.resolve("c/confusion.csv"));
    assertThat(confusion.getFirst()).isEqualTo("run,peer,class,predicted,samples");
    assertThat(confusion.get(1)).matches("mine,0,\\d+,\\d+,\\d+");
    try (RunTables tables = RunTables.open(List.of(run))) {
      String read = "select count(*) from read_parquet('" + home + "/p/metrics.parquet')";
      assertThat(tables.query(read).rows().getFirst().getFirst()).hasValue(16L);
    }
  }

  @Test
  void everyRunGetsAnEventFileOfItsOwn() throws IOException {
    CommandResult commandResult = export("--tensorboard", home + "/logs", "--json");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    Path file = Path.of(Json.tree(commandResult.out()).get("tensorboard").get(0).asString());
    assertThat(file.getParent()).isEqualTo(home.resolve("logs/mine"));
    assertThat(file.getFileName().toString()).contains("tfevents");
    byte[] first = Files.readAllBytes(file);
    export("--tensorboard", home + "/logs");
    assertThat(Files.readAllBytes(file)).isEqualTo(first);
  }

  @Test
  void aTrackingServerGetsSettingsFiguresAndTheEnd() throws IOException {
    try (TrackingServer server = new TrackingServer()) {
      CommandResult commandResult =
          export("--mlflow", server.address().toString(), "--experiment", "my study");
      assertThat(commandResult.err()).isEmpty();
      assertThat(commandResult.out()).isEqualTo("logged: run run-1" + System.lineSeparator());
      List<TrackingServer.Call> calls = server.calls();
      assertThat(calls.stream().map(call -> call.verb() + " " + call.path()))
          .containsExactly(
              "GET experiments/get-by-name?experiment_name=my+study",
              "POST experiments/create",
              "POST runs/create",
              "POST runs/log-batch",
              "POST runs/log-batch",
              "POST runs/update");
      assertThat(calls.get(2).body().get("experiment_id").asString()).isEqualTo("7");
      assertThat(calls.get(2).body().get("run_name").asString()).isEqualTo("mine");
      assertThat(value(calls.get(3).body().get("params"), "method.name").asString())
          .isEqualTo("dfedavgm");
      JsonNode metrics = calls.get(4).body().get("metrics");
      JsonNode summary = Json.tree(Files.readString(run.resolve("summary.json")));
      JsonNode mean = summary.get("accuracy").get("local").get("mean");
      assertThat(value(metrics, "summary/accuracy.local.mean")).isEqualTo(mean);
      List<JsonNode> rounds =
          metrics
              .valueStream()
              .filter(each -> each.get("key").asString().equals("accuracy/mixed"))
              .toList();
      assertThat(rounds.stream().map(each -> each.get("step").asInt())).containsExactly(1, 2);
      assertThat(rounds.getLast().get("value")).isEqualTo(mean);
      assertThat(calls.getLast().body().get("status").asString()).isEqualTo("FINISHED");
    }
  }

  private static JsonNode value(JsonNode list, String key) {
    return list.valueStream()
        .filter(each -> each.get("key").asString().equals(key))
        .findFirst()
        .orElseThrow()
        .get("value");
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    String address;
    try (TrackingServer server = new TrackingServer()) {
      address = server.address().toString();
    }
    CommandResult commandResult = export("--mlflow", address);
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(commandResult.err().strip())
        .isEqualTo(
            "kindred: the server "
                + address
                + " does not answer; start a server with 'mlflow server', or name another");
    assertThat(export("--mlflow", "localhost").err())
        .contains("--mlflow localhost is not a server address; write it as http://localhost:5000");
  }

  @Test
  void nothingAskedForIsRefused() {
    CommandResult commandResult = export();
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err())
        .contains("name at least one of --parquet, --csv, --tensorboard, --mlflow");
  }

  /**
   * Command groups print nothing themselves, a completion is for a shell, and a node keeps running.
   */
  @Test
  void everyVerbThatAnswersSomethingKnowsJson() {
    List<CommandLine> verbs = verbs(Kindred.commandLine());
    assertThat(verbs).hasSizeGreaterThan(20);
    for (CommandLine verb : verbs) {
      String name = verb.getCommandSpec().qualifiedName();
      if (!name.matches("kindred (completion|node .*)")) {
        assertThat(verb.getCommandSpec().optionsMap()).as(name).containsKey("--json");
      }
    }
  }

  private static List<CommandLine> verbs(CommandLine command) {
    List<CommandLine> verbs = new ArrayList<>();
    for (CommandLine each : command.getSubcommands().values()) {
      if (each.getSubcommands().isEmpty()) {
        verbs.add(each);
      }
      verbs.addAll(verbs(each));
    }
    return verbs;
  }
}
