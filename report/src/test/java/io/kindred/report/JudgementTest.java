package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgementTest {
  private static final int ROUNDS = 4;

  @TempDir private Path home;

  /** Four rounds of two peers: in each round 0.1 better on own samples than on the common ones. */
  private RunRecord run(String method, int seed, double... common) throws IOException {
    Path folder = Files.createDirectories(home.resolve(method + seed));
    Files.writeString(
        folder.resolve("config.yaml"), "method: " + method + "\ndataset: digits\nseed: " + seed);
    List<String> lines = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      for (int peer = 0; peer < 2; peer++) {
        double accuracy = common[round - 1] + 0.2 * peer;
        lines.add(
            String.format(
                Locale.ROOT,
                "{\"round\":%d,\"peer\":%d,\"stage\":\"mixed\",\"accuracy\":%.3f,\"samples\":10,"
                    + "\"globalAccuracy\":%.3f}",
                round,
                peer,
                accuracy + 0.1,
                accuracy));
      }
    }
    Files.write(folder.resolve("metrics.jsonl"), lines);
    Files.writeString(
        folder.resolve("summary.json"),
        "{\"method\":\"%s\",\"dataset\":\"digits\",\"peers\":2,\"rounds\":4,\"seed\":%d}"
            .formatted(method, seed));
    return new RunReader().read(folder);
  }

  private List<MethodRuns> methods() throws IOException {
    return Comparison.of(
            List.of(
                run("local", 1, 0.9, 0.2, 0.3, 0.4),
                run("local", 2, 0.9, 0.2, 0.3, 0.4),
                run("better", 1, 0.1, 0.3, 0.4, 0.5),
                run("better", 2, 0.1, 0.4, 0.5, 0.6)))
        .methods();
  }

  @Test
  void aMethodIsJudgedByTheMeanOfItsLastRoundsOnTheCommonSamples() throws IOException {
    Table table = new Judgement(methods(), "local", 3, true).table();
    // local: means of 0.2, 0.3, 0.4 and of these plus 0.2; better: 0.1 and 0.2 more.
    assertThat(table.csv().lines())
        .containsExactly(
            "method,seeds,peers,accuracy %,accuracy % std,difference,from,to",
            "local,2,4,40,0,,,", "better,2,4,55,7.07107,15,10,20");
    assertThat(table.text())
        .contains("difference from local in points")
        .contains("on the common test set, mean of the last 3 evaluated rounds");
  }

  @Test
  void ownSamplesAndTheLastRoundAreJudgedOnRequest() throws IOException {
    Table own = new Judgement(methods(), "better", 1, false).table();
    assertThat(own.csv().lines().skip(1))
        .containsExactly("local,2,4,60,0,-15,-20,-10", "better,2,4,75,7.07107,,,");
    // More rounds than there are: all of them, the lucky first one of local too: 45 and 65 against
    // 32.5 and 52.5 with one seed, 40 and 60 with the other.
    Table all = new Judgement(methods(), "better", 99, true).table();
    assertThat(all.csv().lines().skip(1).findFirst().orElseThrow())
        .startsWith("local,2,4,55,0,8.75,5,12.5");
  }

  /** A peer that a method did not evaluate in every one of the rounds is not compared. */
  @Test
  void onlyPeersWithAllTheRoundsCount() throws IOException {
    run("local", 1, 0.9, 0.2, 0.3, 0.4);
    Path metrics = home.resolve("local1").resolve("metrics.jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(metrics));
    lines.removeIf(line -> line.contains("\"round\":3,\"peer\":1"));
    Files.write(metrics, lines);
    RunRecord local = new RunReader().read(home.resolve("local1"));
    assertThat(local.meanByPeer(1, true)).containsOnlyKeys("0", "1");
    assertThat(local.meanByPeer(2, true)).containsOnlyKeys("0");
    List<MethodRuns> methods =
        Comparison.of(List.of(local, run("better", 1, 0.1, 0.3, 0.4, 0.5))).methods();
    assertThat(new Judgement(methods, "local", 2, true).table().csv().lines().skip(2))
        .containsExactly("better,1,2,55,10,10,10");
  }
}
