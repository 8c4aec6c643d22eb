package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Column;
import io.kindred.report.table.Spread;
import io.kindred.report.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  @TempDir private Path home;

  private RunRecord run(String name, String config, String summary) throws IOException {
    Path folder = Files.createDirectories(home.resolve(name));
    Files.writeString(folder.resolve("config.yaml"), config, StandardCharsets.UTF_8);
    if (!summary.isEmpty()) {
      Files.writeString(folder.resolve("summary.json"), summary, StandardCharsets.UTF_8);
    }
    return new RunReader().read(folder);
  }

  private RunRecord run(String method, int seed, double mean) throws IOException {
    return run(
        method + seed,
        "method: {name: " + method + "}\ndataset: digits\nseed: " + seed + "\nworkers: " + seed,
        """
        {"method":"%s","dataset":"digits","peers":4,"rounds":10,"seed":%d,"accuracy":{"local":{"mean":%s}},
         "traffic":{"modelBytes":8000000,"controlBytes":40000,"modelsPulledPerPeerRound":3},
         "wallSeconds":2.5}
        """
            .formatted(method, seed, mean));
  }

  @Test
  void averagesOverSeedsAndLeavesOutUnknownColumns() throws IOException {
    List<RunRecord> runs =
        List.of(run("fedavg", 1, 0.5), run("local", 1, 0.4), run("fedavg", 2, 0.52));
    assertThat(Comparison.of(runs).table().text())
        .isEqualTo(
            """
            method  seeds  accuracy %   models/round       MB/round     wall s
            ------  -----  -----------  ------------  -------------  ---------
            fedavg      2  51.0 ± 1.4*     3.0 ± 0.0  0.201 ± 0.000  2.5 ± 0.0
            local       1        40.0            3.0          0.201        2.5
            """);
  }

  @Test
  void namesRunsOfOneMethodByWhatSetsThemApart() throws IOException {
    String config = "method: {name: dfca, k: %d}\ndataset: digits\nseed: 1\n";
    Comparison comparison =
        Comparison.of(
            List.of(run("a", config.formatted(3), ""), run("b", config.formatted(5), "")));
    assertThat(comparison.methods().stream().map(MethodRuns::name))
        .containsExactly("dfca (k=3)", "dfca (k=5)");
  }

  @Test
  void namesWhatWasChosenBeforeTheSettingsOfTheChoice() throws IOException {
    String config = "method: {name: local}\nmodel: {%s}\nseed: 1\n";
    Comparison comparison =
        Comparison.of(
            List.of(
                run("a", config.formatted("name: mlp, units: 8"), ""),
                run("b", config.formatted("name: mlp, units: 16"), ""),
                run("c", config.formatted("name: lenet, dropout: 0.5"), "")));
    assertThat(comparison.methods().stream().map(MethodRuns::name))
        .containsExactly(
            "local (model=mlp, units=8)", "local (model=mlp, units=16)", "local (model=lenet)");
  }

  @Test
  void namesAChoiceInsideAChoiceWithoutSettingsThatTheOthersLack() throws IOException {
    String config = "method: {name: semantic-dfl, discovery: {%s}}\nseed: 1\n";
    Comparison comparison =
        Comparison.of(
            List.of(
                run("a", config.formatted("name: overlay, zoneSize: 4"), ""),
                run("b", config.formatted("name: overlay, zoneSize: 8"), ""),
                run("c", config.formatted("name: views, size: 40"), "")));
    assertThat(comparison.methods().stream().map(MethodRuns::name))
        .containsExactly(
            "semantic-dfl (discovery=overlay, zoneSize=4)",
            "semantic-dfl (discovery=overlay, zoneSize=8)",
            "semantic-dfl (discovery=views)");
  }

  @Test
  void ranksNothingWhereNumbersAreAnsweredButShowsTheErrors() throws IOException {
    RunRecord run =
        run(
            "a",
            "method: {name: local}",
            "{\"peers\":4,\"accuracy\":{\"local\":{}},\"extra\":{\"degrees\":3.25,\"globalDegrees\":4}}");
    assertThat(Comparison.of(List.of(run)).table().text())
        .isEqualTo(
            """
            method  degrees  globalDegrees
            ------  -------  -------------
            local      3.25           4.00
            """);
  }

  @Test
  void doesNotRankDifferentTasks() throws IOException {
    Comparison comparison =
        Comparison.of(
            List.of(
                run("fedavg", 1, 0.5),
                run(
                    "x",
                    "method: other\ndataset: letters",
                    "{\"peers\":4,\"accuracy\":{\"local\":{\"mean\":0.9}}}")));
    assertThat(comparison.comparable()).isFalse();
    assertThat(comparison.table().text()).doesNotContain("*");
    assertThat(new Findings(comparison).paragraph()).contains("not ranked");
  }

  private RunRecord rising(String method, int seed, double... means) throws IOException {
    StringBuilder rounds = new StringBuilder("round,stage,mean,virtualSeconds\n");
    for (int i = 0; i < means.length; i++) {
      rounds.append(2 * i + 2).append(",mixed,").append(means[i]).append(',');
      rounds.append(1.5 * (i + 1)).append('\n');
    }
    String folder = method + seed;
    Files.createDirectories(home.resolve(folder));
    Files.writeString(home.resolve(folder).resolve("rounds.csv"), rounds, StandardCharsets.UTF_8);
    return run(
        folder,
        "method: " + method + "\nseed: " + seed,
        "{\"peers\":4,\"rounds\":6,\"roundsToTarget\":{\"0.40\":2,\"0.50\":4}}");
  }

  /** Rounds 2, 4 and 6 end at 1.5, 3 and 4.5 virtual seconds; only one seed of b reaches 0.6. */
  @Test
  void saysWhatATargetCostsInRoundsAndVirtualTime() throws IOException {
    List<RunRecord> runs =
        List.of(
            rising("a", 1, 0.4, 0.6, 0.7),
            rising("a", 2, 0.6, 0.6, 0.7),
            rising("b", 1, 0.4, 0.5, 0.6),
            rising("b", 2, 0.4, 0.5, 0.5),
            rising("c", 1, 0.4, 0.5, 0.5));
    assertThat(Comparison.of(runs, List.of(0.6)).table().csv().lines())
        .containsExactly(
            "method,seeds,accuracy %,accuracy % std,to 60 %,to 60 % std,virtual s to 60 %,"
                + "virtual s to 60 % std,virtual s,virtual s std",
            "a,2,70,0,3,1.4142,2.25,1.06066,4.5,0",
            "b,2,55,7.07107,1 of 2 seeds,,1 of 2 seeds,,4.5,0",
            "c,1,50,,,,,,4.5,");
    assertThat(Comparison.of(runs).table().columns().stream().map(Column::header))
        .contains("to 40 %", "to 50 %", "virtual s to 50 %")
        .doesNotContain("virtual s to 40 %");
  }

  private Comparison withLocal(String... methods) throws IOException {
    List<RunRecord> runs = new ArrayList<>();
    runs.add(synthetic("local", 0.3));
    for (String method : methods) {
      runs.add(synthetic(method, 0.8));
    }
    return Comparison.of(runs);
  }

  private RunRecord synthetic(String method, double ceiling) throws IOException {
    Path folder = home.resolve(method);
    return new RunReader().read(new SyntheticRun(method, 1, 12, 3, ceiling, 9, 10).write(folder));
  }

  /** Two methods that print the same are both best, so no method is tied with the best. */
  @Test
  void explainsTheMarkOnlyWhereARowBearsIt() throws IOException {
    Comparison tied = withLocal("one", "two");
    assertThat(Bootstrap.tiedWithBest(tied.methods())).containsExactly("two");
    assertThat(tied.table().text()).doesNotContain("~").doesNotContain("chance");
    assertThat(tied.table().latex()).doesNotContain("chance");

    Table close = withLocal("one", "another").table();
    assertThat(close.text().lines().filter(line -> line.contains("~")).count()).isEqualTo(2);
    assertThat(close.text()).contains("over peers; one seed says nothing about other seeds)\n");
  }

  /** Two rounds; the accuracies are those of the second, and the first has others. */
  private RunRecord measured(String method, int seed, String samples, double... accuracies)
      throws IOException {
    StringBuilder metrics = new StringBuilder();
    for (int round = 1; round <= 2; round++) {
      for (int peer = 0; peer < accuracies.length; peer++) {
        metrics.append(
            "{\"round\":%d,\"peer\":%d,\"stage\":\"mixed\",\"accuracy\":%s%s}%n"
                .formatted(round, peer, round == 1 ? "0.99" : accuracies[peer] + "", samples));
      }
    }
    Path folder = Files.createDirectories(home.resolve(method + seed));
    Files.writeString(folder.resolve("metrics.jsonl"), metrics, StandardCharsets.UTF_8);
    return run(
        method + seed,
        "method: " + method + "\nseed: " + seed,
        "{\"peers\":%d,\"accuracy\":{\"local\":{\"mean\":%s,\"best\":0.99}}}"
            .formatted(accuracies.length, Spread.overPeers(accuracies).mean()));
  }

  private List<RunRecord> fourRuns(String samples) throws IOException {
    return List.of(
        measured("a", 1, samples, 0.9, 0.9),
        measured("a", 2, samples, 0.9, 0.9),
        measured("b", 1, samples, 0.9, 0.86),
        measured("b", 2, samples, 0.86, 0.82));
  }

  /** The standard error is 2.449 points (see BootstrapTest), and 2.8 times that is 6.86. */
  @Test
  void saysHowSmallADifferenceCouldBeSeen() throws IOException {
    Comparison comparison = Comparison.of(fourRuns(",\"samples\":50"));
    String counts = "test samples 200 (2 peers x 2 seeds)";
    String warning =
        "a difference of 2 points could not be seen here: the smallest detectable difference is"
            + " 6.9 points (b against a); add seeds (--seeds) or test samples"
            + " (evaluation.localTest / dataset.samples)";
    assertThat(comparison.table().text().lines())
        .endsWith(
            counts
                + "; smallest detectable difference from a 6.9 points (5% level, 80% power,"
                + " standard error over seeds and the peers of each seed)",
            "warning: " + warning);
    assertThat(comparison.table().markdown()).contains(counts).contains(warning);
    assertThat(comparison.table().latex()).contains("% test samples 200").contains("% warning: ");
    assertThat(new HtmlReport("Page", fourRuns(",\"samples\":50")).render())
        .containsOnlyOnce("<p class=\"note\">" + counts)
        .containsOnlyOnce("<p class=\"note\">warning: " + warning + "</p>");
    assertThat(comparison.mappings().getFirst()).doesNotContainKey("againstBest");
    PairedDifference pair = comparison.differences().getFirst();
    assertThat(comparison.mappings().getLast()).containsEntry("againstBest", pair.mapping());
    assertThat(pair.mapping())
        .containsEntry("best", "a")
        .containsEntry("testSamples", 200L)
        .containsEntry("peers", 2)
        .containsEntry("seeds", 2)
        .containsEntry("differencePoints", 100 * pair.mean())
        .containsEntry("standardErrorPoints", 100 * pair.standardError())
        .containsEntry("detectablePoints", 100 * pair.detectable())
        .containsEntry("warning", warning);
    assertThat(pair.mean()).isCloseTo(-0.04, within(1e-9));
    assertThat(pair.standardError()).isCloseTo(0.02449, within(1e-5));
    assertThat(pair.detectable()).isCloseTo(0.06859, within(1e-5));
  }

  @Test
  void aComparisonThatCanSeeTwoPointsHasNoWarning() throws IOException {
    List<RunRecord> runs =
        List.of(
            measured("a", 1, ",\"samples\":50", 0.9, 0.8, 0.7),
            measured("b", 1, ",\"samples\":50", 0.88, 0.78, 0.69));
    assertThat(Comparison.of(runs).table().text())
        .contains("test samples 150 (3 peers x 1 seed); smallest detectable difference from a 1.0")
        .contains("standard error over peers)")
        .doesNotContain("warning");
  }

  @Test
  void whatIsUnknownAboutADifferenceIsSaid() throws IOException {
    assertThat(Comparison.of(fourRuns("")).table().text())
        .contains("test samples not recorded (2 peers x 2 seeds)");
    List<RunRecord> single = List.of(measured("c", 1, "", 0.9), measured("d", 1, "", 0.8));
    assertThat(Comparison.of(single).table().text())
        .contains("(1 peer x 1 seed)\n")
        .contains("one peer with one seed has no standard error (d against c)");
    assertThat(Comparison.of(fourRuns("").subList(0, 2)).table().remarks()).isEmpty();
  }

  /** The best round, 0.99, would be optimistic: it is chosen on the samples of the test. */
  @Test
  void theDefaultStatisticIsThatOfTheLastRound() throws IOException {
    List<RunRecord> runs = fourRuns("");
    assertThat(Comparison.of(runs).table().csv().lines().skip(1))
        .satisfiesExactly(
            row -> assertThat(row).startsWith("a,2,90,0"),
            row -> assertThat(row).startsWith("b,2,86,"));
    assertThat(runs.getLast().lastByPeer().values()).containsExactly(0.86, 0.82);
    RunRecord withoutSummary = rising("c", 1, 0.4, 0.9, 0.5);
    assertThat(Comparison.of(List.of(withoutSummary)).table().csv()).contains("c,50,");
  }

  @Test
  void marksUnfinishedRuns() throws IOException {
    Table table = Comparison.of(List.of(run("a", "method: fedavg", ""))).table();
    assertThat(table.text()).contains("fedavg (unfinished, round 0)").contains("-");
  }

  @Test
  void theRowOfAnUnfinishedRunSaysOfWhichRoundAndPeersItIs() throws IOException {
    Path folder = new SyntheticRun("fedavg", 1, 3, 4, 0.7, 0.5, 1000).write(home.resolve("half"));
    Files.delete(folder.resolve("summary.json"));
    Files.writeString(
        folder.resolve("metrics.jsonl"),
        "{\"round\":5,\"peer\":2,\"stage\":\"mixed\",\"accuracy\":0.99}\n",
        StandardOpenOption.APPEND);
    RunRecord run = new RunReader().read(folder);
    Table table = Comparison.of(List.of(run)).table();
    assertThat(table.text())
        .contains("fedavg (unfinished, round 4/4, 3/3 peers)")
        .doesNotContain("99.0");
    assertThat(new HtmlReport("Half", List.of(run)).render())
        .contains("every live peer has reported: round 4/4, 3/3 peers.");
  }

  @Test
  void comparesEachPeerWithItselfUnderTheSameSeed() throws IOException {
    List<RunRecord> runs = new ArrayList<>();
    for (int seed = 1; seed <= 2; seed++) {
      for (String method : List.of("local", "fedavg")) {
        double ceiling = method.equals("local") ? 0.4 : 0.8;
        Path folder = home.resolve(method + seed);
        Path written = new SyntheticRun(method, seed, 6, 5, ceiling, 1, 100).write(folder);
        runs.add(new RunReader().read(written));
      }
    }
    List<MethodRuns> methods = Comparison.of(runs).methods();
    assertThat(Gains.againstLocal(methods)).hasSize(1);
    assertThat(Gains.againstLocal(methods).getFirst().bars()).hasSize(12);
    assertThat(Gains.againstLocal(methods).getFirst().gaining()).isEqualTo(12);
  }
}
