package io.kindred.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.cli.CommandResult;
import io.kindred.cli.SmallExperimentFile;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class DiscoveryCommandTest {
  @TempDir private Path home;

  private CommandResult discovery(String... more) {
    String[] first = {"discovery", "--out", home.toString(), "--rounds", "6", "--k", "5"};
    String[] arguments = new String[first.length + more.length];
    System.arraycopy(first, 0, arguments, 0, first.length);
    System.arraycopy(more, 0, arguments, first.length, more.length);
    return CommandResult.run(arguments);
  }

  @Test
  void measuresPrintsAndDraws() throws IOException {
    CommandResult commandResult = discovery("--peers", "60");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    assertThat(commandResult.out())
        .contains("60 peers, 6 rounds")
        .contains("strangers  recall")
        .contains("discovery.svg");
    assertThat(commandResult.out().lines())
        .filteredOn(line -> !line.contains(home.toString()))
        .allMatch(line -> line.length() <= 80);
    assertThat(Files.readString(home.resolve("discovery.svg"))).contains("60 gossiped views");
    assertThat(Files.readString(home.resolve("discovery-cost.svg"))).contains("kB a peer");
    JsonNode figures = Json.tree(Files.readString(home.resolve("discovery.json")));
    assertThat(figures.get("recall").asDouble()).isBetween(0.5, 1.0);
    assertThat(figures.get("curve").size()).isEqualTo(6);
    assertThat(figures.get("settings").get("peers").asInt()).isEqualTo(60);
    List<JsonNode> rounds =
        Files.readAllLines(home.resolve("discovery-rounds.jsonl")).stream()
            .map(Json::tree)
            .toList();
    assertThat(rounds).hasSize(6);
    for (int i = 0; i < rounds.size(); i++) {
      JsonNode point = figures.get("curve").get(i);
      for (String name : List.of("round", "recall", "coverage", "totalKilobytes")) {
        assertThat(rounds.get(i).get(name)).isEqualTo(point.get(name));
      }
    }
  }

  @Test
  void printsOneDocumentWithTheFinalRecall() {
    CommandResult commandResult =
        discovery("--peers", "30", "--json", "--set", "liars.share=0.1", "--set", "searches=0");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    JsonNode figures = Json.tree(commandResult.out());
    JsonNode last = figures.get("rounds").get(figures.get("rounds").size() - 1);
    assertThat(figures.get("recall").asDouble()).isEqualTo(last.get("recall").asDouble());
    assertThat(last.get("liars").get("pulls").asDouble()).isBetween(0.0, 1.0);
    assertThat(figures.get("accusations").get("ofHonestPeers").asLong()).isZero();
    assertThat(figures.get("withoutChecks").size()).isEqualTo(figures.get("rounds").size());
  }

  @Test
  void comparesWithTheOverlayAndWithUnguidedSearches() {
    CommandResult commandResult =
        discovery("--peers", "40", "--compare", "--json", "--set", "compare.beams=[1, 64]");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    JsonNode comparison = Json.tree(commandResult.out()).get("comparison");
    assertThat(comparison.get("overlay").size()).isEqualTo(4);
    assertThat(comparison.get("overlay").get(3).get("recall").asDouble()).isGreaterThan(0.7);
    assertThat(comparison.get("overlay").get(3).get("kilobytes").asDouble()).isPositive();
    JsonNode unguided = comparison.get("unguided");
    assertThat(unguided.get(unguided.size() - 1).get("probing").asDouble()).isGreaterThan(0.7);
    assertThat(unguided.get(0).get("flooding").asDouble()).isLessThan(0.3);
  }

  @Test
  void theModelsOfARunAreSketched() throws IOException {
    Path run = home.resolve("run");
    CommandResult trained =
        CommandResult.run(
            "run",
            SmallExperimentFile.in(home).toString(),
            "--out",
            run.toString(),
            "--set",
            "method=local",
            "--set",
            "evaluation.saveModels=true",
            "--set",
            "peers=8");
    assertThat(trained.exitCode()).as("%s", trained.err()).isZero();
    CommandResult commandResult =
        discovery("--models", run.toString(), "--json", "--set", "views.sketch.of=head");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    JsonNode figures = Json.tree(commandResult.out());
    assertThat(figures.get("settings").get("peers").asInt()).isEqualTo(8);
    assertThat(figures.get("recall").asDouble()).isGreaterThan(0.6);
    assertThat(discovery("--models", run.toString(), "--set", "drift.at=2").err())
        .contains("models of a run cannot drift")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--peers,1,from 2 to 1000000",
    "--peers,5,ask for fewer",
    "--k,0,from 1 to 1024",
    "--set,liars.kind=shout,collude",
    "--set,churns=0.1,churn",
    "--set,views.sketch.bytes=100,power of two",
    "--set,split.from=3,the earlier round first",
    "--set,drift.at=7,raise rounds",
    "--set,pulls=false,views.checks=false",
    "--models,nowhere,is not a run folder"
  })
  void mistakesAreAnsweredInOneLine(String option, String value, String remedy) {
    CommandResult wrong =
        option.equals("--k")
            ? CommandResult.run("discovery", "--out", home.toString(), option, value)
            : discovery(option, value);
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(wrong.err()).contains(remedy).hasLineCount(1);
  }

  @Test
  void anOverlayOfManyPeersHasToBeAskedFor() {
    assertThat(discovery("--peers", "1001", "--compare").err())
        .contains("--set compare.largest=1001")
        .hasLineCount(1);
    CommandResult both = discovery("--peers", "5", "--models", home.toString());
    assertThat(both.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(both.err()).contains("exclude each other");
  }

  @Test
  void theHelpTeaches() {
    CommandResult help = CommandResult.run("discovery", "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .contains("--compare")
        .contains("liars.share=0.1")
        .contains("docs/reference/discovery.md");
  }
}
