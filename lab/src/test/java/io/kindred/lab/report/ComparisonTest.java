package io.kindred.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
        {"method":"%s","dataset":"digits","peers":4,"seed":%d,"accuracy":{"local":{"mean":%s}},
         "traffic":{"modelBytes":8000000,"controlBytes":4000},"wallSeconds":2.5}
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
            method  seeds  accuracy %      model MB  control kB     wall s
            ------  -----  -----------  -----------  ----------  ---------
            fedavg      2  51.0 ± 1.4*  2.00 ± 0.00   1.0 ± 0.0  2.5 ± 0.0
            local       1        40.0          2.00         1.0        2.5
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

  @Test
  void marksUnfinishedRuns() throws IOException {
    Table table = Comparison.of(List.of(run("a", "method: fedavg", ""))).table();
    assertThat(table.text()).contains("fedavg (unfinished, round 0)").contains("-");
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
