package io.kindred.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.cli.CommandResult;
import io.kindred.cli.SmallExperimentFile;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OverlayCommandTest {
  @TempDir private Path home;

  private CommandResult overlay(String... more) {
    String[] arguments = new String[5 + more.length];
    String[] first = {"overlay", "--out", home.toString(), "--set", "overlay.zoneSize=6"};
    System.arraycopy(first, 0, arguments, 0, first.length);
    System.arraycopy(more, 0, arguments, first.length, more.length);
    return CommandResult.run(arguments);
  }

  @Test
  void buildsAsksAndDraws() throws IOException {
    CommandResult commandResult = overlay("--peers", "30", "--k", "3", "--both-readings");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    assertThat(commandResult.out()).contains("30 peers, zones of at most 6").contains("recall");
    assertThat(Files.readString(home.resolve("overlay.svg"))).contains("Overlay of 30 peers");
    JsonNode figures = Json.tree(Files.readString(home.resolve("overlay.json")));
    assertThat(figures.get("building").get("faults").asInt()).isZero();
    assertThat(figures.get("searches").size()).isEqualTo(2);
    for (JsonNode search : figures.get("searches")) {
      assertThat(search.get("queries").asInt()).isEqualTo(30);
      assertThat(search.get("recall").asDouble()).isBetween(0.1, 1.0);
      assertThat(search.get("messagesPerQuery").asDouble()).isPositive();
    }
  }

  @Test
  void theModelsOfARunAreSigned() throws IOException {
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
        overlay("--models", run.toString(), "--k", "2", "--set", "topology.degree=3");
    assertThat(commandResult.exitCode()).as("%s", commandResult.err()).isZero();
    assertThat(commandResult.out())
        .contains("8 peers")
        .containsPattern("cosine 0.80: [0-9.]+ % of the");
    assertThat(Files.readString(home.resolve("retention.svg"))).contains("entries left out");
  }

  @Test
  void mistakesAreAnsweredInOneLine() {
    assertThat(overlay("--models", home.resolve("nowhere").toString()).err())
        .contains("is not a run folder")
        .hasLineCount(1);
    assertThat(overlay("--set", "overlay.zoneSiz=3").err()).contains("zoneSize").hasLineCount(1);
    CommandResult both = overlay("--peers", "5", "--models", home.toString());
    assertThat(both.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(both.err()).contains("exclude each other");
  }
}
