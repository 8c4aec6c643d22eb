package io.kindred.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.cli.CommandResult;
import io.kindred.runtime.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HflCommandTest {
  @TempDir private Path home;

  private CommandResult form(String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "hfl";
    words[1] = "form";
    words[2] = "--out";
    words[3] = home.toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return CommandResult.run(words);
  }

  private static double theta(CommandResult commandResult, int place) {
    String line =
        commandResult
            .out()
            .lines()
            .filter(each -> each.startsWith("theta "))
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(line.replace(",", "").split(" ", -1)[place]);
  }

  @Test
  void clustersAreShownBeforeAndAfterAndDrawn() throws IOException {
    CommandResult commandResult = form("--clients", "16", "--seed", "3");

    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(theta(commandResult, 3)).isLessThan(theta(commandResult, 1));
    List<String> rows = Files.readAllLines(home.resolve("clusters.csv"));
    assertThat(rows).hasSize(9);
    assertThat(rows.getFirst()).isEqualTo("when,cluster,clients,head,theta,T,members");
    String svg = Files.readString(home.resolve("clusters.svg"));
    assertThat(svg).contains("16 clients in clusters").contains("before: mean theta");
  }

  @Test
  void aGivenNetworkIsKeptTo() throws IOException {
    // Two halves without a link between them.
    StringBuilder text = new StringBuilder("# megabits a second\n");
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 8; j++) {
        text.append(i == j || (i < 4) != (j < 4) ? "0" : "5").append(j < 7 ? " " : "\n");
      }
    }
    Path file = Files.writeString(home.resolve("ways.txt"), text);

    CommandResult commandResult =
        form("--links", file.toString(), "--set", "method.clusters.count=2");

    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.out())
        .containsPattern("after +\\d +4 +\\d .* 0 1 2 3")
        .containsPattern("after +\\d +4 +\\d .* 4 5 6 7");
    CommandResult none =
        form(
            "--links",
            file.toString(),
            "--set",
            "method.clusters.count=2",
            "--set",
            "method.clusters.least=3",
            "--set",
            "method.clusters.most=5",
            "--set",
            "method.clusters.count=1");
    assertThat(none.exitCode()).isEqualTo(ExitCode.WRONG_USE);
  }

  @Test
  void whereThereIsNoClusteringOneLineSaysSo() {
    CommandResult commandResult = form("--set", "network.links.down=0.95");

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err().lines().toList())
        .containsExactly(
            "kindred: there is no clustering of 20 clients into 4 clusters of 3 to 10 in which a head"
                + " reaches every member; allow other sizes or another number of clusters");
  }

  @Test
  void aNetworkThatIsNoneIsRefusedWithItsLine() throws IOException {
    Path file = Files.writeString(home.resolve("ways.txt"), "0 1 2\n1 0 x\n2 3 0\n");
    assertThat(form("--links", file.toString()).err()).contains("line 2 has 'x'");
    Files.writeString(file, "0 1 2\n1 0 3\n2 4 0\n");
    assertThat(form("--links", file.toString()).err())
        .contains("the rate from 1 to 2 differs from the rate back");
    Files.writeString(file, "0 1\n1 0 3\n2 4 0\n");
    assertThat(form("--links", file.toString()).err()).contains("line 1 has 2 numbers");
  }

  @Test
  void summariesSayWhatClustersCameTo() throws IOException {
    CommandResult commandResult =
        CommandResult.run(
            "run",
            "../experiments/hfl/tables-8-9.yaml",
            "--profile",
            "smoke",
            "--out",
            home.resolve("grid").toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    try (Stream<Path> files = Files.walk(home.resolve("grid"))) {
      Path summary = files.filter(file -> file.endsWith("summary.json")).findFirst().orElseThrow();
      assertThat(Files.readString(summary))
          .contains("\"hierarchy\"")
          .containsPattern("\"theta\" : [0-9.]+")
          .containsPattern("\"roundTime\" : [0-9.]+")
          .containsPattern("\"clusters\" : 4.0")
          .containsPattern("\"clusterMismatch\" : [0-9.]+");
    }
  }

  private void run(String name, String feature, double... accuracies) throws IOException {
    Path folder = Files.createDirectories(home.resolve("runs").resolve(name));
    Files.writeString(
        folder.resolve("config.yaml"),
        "method: {name: hfl, feature: "
            + feature
            + ", clusters: {way: swap, swap: {solution: pair}}}\n");
    StringBuilder rows =
        new StringBuilder(
            "round,stage,mean,std,p10,best,worst,globalMean,modelBytes,controlBytes,recallAtK,virtualSeconds\n");
    for (int i = 0; i < accuracies.length; i++) {
      rows.append(
          String.format(
              Locale.ROOT, "%d,mixed,,,,,,%s,1,1,,%d%n", i + 1, accuracies[i], 100 * (i + 1)));
    }
    Files.writeString(folder.resolve("rounds.csv"), rows);
    Files.writeString(folder.resolve("summary.json"), "{\"method\":\"hfl\"}");
  }

  @Test
  void roundsToTheTargetAreInterpolated() throws IOException {
    run("a", "difference", 0.2, 0.3, 0.4, 0.5);
    run("b", "crop", 0.1, 0.2, 0.3, 0.4);

    CommandResult commandResult =
        CommandResult.run("hfl", "rounds", home.resolve("runs").toString(), "--target-round", "3");

    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    // The target is 0.4: three rounds, and four for the other. 3/4 x 180 - 130 = 5; 4/3 x 130 -
    // 130.
    assertThat(commandResult.out())
        .containsPattern("1\\.1 +1 +40\\.0 +3\\.0\\*? +50\\.0 +0\\.0")
        .containsPattern("1\\.1-crop +1 +40\\.0 +4\\.0 +5\\.0 +43\\.3");
    assertThat(
            CommandResult.run("hfl", "rounds", home.resolve("runs").toString(), "--reference", "B")
                .err())
        .contains("--reference B has no run here; choose one of 1.1, 1.1-crop");
  }

  private void errors(String name, String feature, double... errors) throws IOException {
    run(name, feature, new double[errors.length]);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < errors.length; i++) {
      lines.append(
          String.format(
              Locale.ROOT,
              "{\"round\":%d,\"peer\":0,\"stage\":\"mixed\",\"extra\":{\"globalMillimetres\":%s}}%n",
              i + 1,
              errors[i]));
    }
    Files.writeString(home.resolve("runs").resolve(name).resolve("metrics.jsonl"), lines);
  }

  @Test
  void theTimeUntilAnErrorHasComeDownIsTold() throws IOException {
    errors("a", "difference", 60, 30, 10, 8);
    errors("b", "difference", 20, 10, 10, 4);
    errors("c", "crop", 50, 40, 30, 25);

    CommandResult commandResult =
        CommandResult.run(
            "hfl",
            "rounds",
            home.resolve("runs").toString(),
            "--error",
            "millimetres",
            "--target",
            "20");

    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    // The mean of both runs is 40, 20, 10, 6: it is at 20 after two rounds and 200 seconds.
    assertThat(commandResult.out())
        .containsPattern("1\\.1 +2 +6\\.00\\*? +2\\.0\\*? +200")
        .containsPattern("1\\.1-crop +1 +25\\.00 +- +-");
    assertThat(CommandResult.run("hfl", "rounds", home.toString(), "--error", "inches").err())
        .contains("--error");
  }
}
