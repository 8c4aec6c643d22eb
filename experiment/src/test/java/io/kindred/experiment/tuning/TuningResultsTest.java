package io.kindred.experiment.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.experiment.GridRun;
import io.kindred.experiment.LocalGridEngine;
import io.kindred.experiment.tuning.SearchSpace.KeyRange;
import io.kindred.experiment.tuning.Try.TriedSetting;
import io.kindred.experiment.tuning.TuningResults.MethodResult;
import io.kindred.experiment.tuning.TuningResults.ScoredTry;
import io.kindred.learning.data.DataFiles;
import io.kindred.report.run.RunReader;
import io.kindred.runtime.Progress;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.EvaluationSettings.SampleSplit;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningResultsTest {
  @TempDir private Path home;

  private static TuningPlan plan(List<String> assignments, int budget, String... ranges) {
    List<String> all =
        Stream.concat(
                Stream.of("sweep.method=[fedavg, dfedavgm]", "rounds=1"), assignments.stream())
            .toList();
    return new TuningPlan(
        ExperimentFile.of(
            ConfigFile.parse("small.yaml", SmallExperiment.FILE), Optional.empty(), all),
        new TuningPlan.Request(
            budget,
            TuningSearch.RANDOM,
            List.of(),
            Arrays.stream(ranges).map(KeyRange::parse).toList()));
  }

  private TuningResults execute(TuningPlan plan, Path folder) throws IOException {
    return execute(plan, folder, new StopSignal(), (number, count, label) -> Progress.SILENT);
  }

  private static TuningResults execute(
      TuningPlan plan, Path folder, StopSignal stop, GridRun.Display display) throws IOException {
    List<GridCell> cells = plan.cells();
    GridRun.Results results =
        new GridRun(
                folder, display, stop, new LocalGridEngine(stop, warning -> {}, DataFiles.NONE, 1))
            .execute(cells);
    return TuningResults.of(plan, cells, results);
  }

  private static ScoredTry scored(int number, double... scores) {
    Try tried = new Try("ditto", number, List.of(), Mapping.empty(Origin.named("test")));
    return new ScoredTry(
        tried,
        Arrays.stream(scores)
            .mapToObj(score -> new TryScore(tried, 1, score, 0, "run", ""))
            .toList());
  }

  private static Optional<Integer> chosen(ScoredTry... tries) {
    return new MethodResult("ditto", List.of(tries)).best().map(each -> each.tried().number());
  }

  @Test
  void theHighestMeanOverSeedsIsChosenAndOfEqualsTheEarliest() {
    assertThat(chosen(scored(1, 0.5), scored(2, 0.7), scored(3, 0.6))).contains(2);
    assertThat(chosen(scored(1, 0.5), scored(2, 0.7), scored(3, 0.7))).contains(2);
    assertThat(chosen(scored(1, 0.9, 0.1), scored(2, 0.6, 0.6))).contains(2);
  }

  @Test
  void aTryThatFailsUnderOneSeedIsNotChosen() {
    assertThat(chosen(scored(1, 0.9, Double.NaN), scored(2, 0.1, 0.1))).contains(2);
    assertThat(chosen(scored(1, Double.NaN), scored(2, Double.NaN))).isEmpty();
  }

  @Test
  void aScoreIsTheMeanOverPeersInTheLastRound() throws IOException {
    // With so large a step the accuracy falls again, so that the best round is not the last.
    TuningPlan plan = plan(List.of("rounds=6", "training.learningRate=3"), 1);
    TuningResults results = execute(plan, home);
    boolean fellAgain = false;
    for (TryScore score : results.scores()) {
      var run = new RunReader().read(home.resolve(score.run()));
      double[] peers = run.lastByPeer().values().stream().mapToDouble(d -> d).toArray();
      double mean = Arrays.stream(peers).average().orElseThrow();
      double variance = Arrays.stream(peers).map(d -> (d - mean) * (d - mean)).sum() / 3;
      assertThat(peers).hasSize(4);
      assertThat(score.score()).isCloseTo(mean, within());
      assertThat(score.standardError()).isCloseTo(Math.sqrt(variance / 4), within());
      assertThat(run.evaluatedOn()).isEqualTo("validation");
      assertThat(run.globalAccuracies()).isEmpty();
      fellAgain |= run.summary().number("accuracy.local.best") > score.score();
    }
    assertThat(fellAgain).isTrue();
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-6);
  }

  @Test
  void aDivergedTryIsRecordedAndCounts() throws IOException {
    TuningPlan plan = plan(List.of(), 2, "training.weightDecay=1e38");
    TuningResults results = execute(plan, home);
    assertThat(results.methods())
        .allSatisfy(
            method -> {
              assertThat(method.tries()).hasSize(2);
              assertThat(method.failed()).isEqualTo(1);
              assertThat(method.best().orElseThrow().tried().number()).isEqualTo(1);
            });
    assertThat(results.csv().lines().toList())
        .hasSize(5)
        .satisfies(
            lines -> {
              assertThat(lines.get(0))
                  .isEqualTo("method,try,settings,seed,score,standardError,run,failure");
              assertThat(lines.get(1))
                  .startsWith(
                      "fedavg,1,training.learningRate=0.05 training.weightDecay=0 method.fineTune=0,");
              assertThat(lines.get(2)).startsWith("fedavg,2,").contains("diverged");
            });
  }

  @Test
  void aStoppedTuningGoesOnAndComesToTheSameRecord() throws IOException {
    TuningPlan plan = plan(List.of(), 3);
    Path interrupted = home.resolve("interrupted");
    StopSignal stop = new StopSignal();
    TuningResults half =
        execute(
            plan,
            interrupted,
            stop,
            (number, count, label) -> {
              if (number == 4) {
                stop.request();
              }
              return Progress.SILENT;
            });
    assertThat(half.scores()).extracting(TryScore::failure).contains("", "not finished");
    String whole = execute(plan, home.resolve("whole")).csv();
    assertThat(execute(plan(List.of(), 3), interrupted).csv()).isEqualTo(whole);
  }

  @Test
  void theCommonTestSetHasNoInfluence() throws IOException {
    TuningResults usual = execute(plan(List.of(), 2), home.resolve("usual"));
    TuningResults other =
        execute(plan(List.of("dataset.testSamples=90"), 2), home.resolve("other"));
    assertThat(other.scores())
        .extracting(TryScore::score)
        .isEqualTo(usual.scores().stream().map(TryScore::score).toList());
  }

  @Test
  void theTunedFileRunsTheChosenSettingsOnTheTestSamples() throws IOException {
    TuningPlan plan = plan(List.of("seeds=[4, 5]", "evaluation.on=train"), 3);
    TuningResults results = execute(plan, home);
    String text = TunedFile.text(plan, results, "./kindred tune small.yaml");
    assertThat(text)
        .startsWith("# Made by: ./kindred tune small.yaml\n")
        .contains("# Every method had a budget of 3 tries (random search)")
        .contains("in the last round, seed 4.")
        .contains("#   fedavg: 3 tries, 0 failed; first try ");
    List<GridCell> cells =
        ExperimentFile.of(ConfigFile.parse("tuned.yaml", text), Optional.empty(), List.of())
            .cells();
    assertThat(cells).hasSize(4);
    List<Try> chosen = results.chosen();
    for (int i = 0; i < cells.size(); i++) {
      var experiment = cells.get(i).experiment();
      assertThat(experiment.evaluation().on()).isEqualTo(SampleSplit.TEST);
      assertThat(experiment.evaluation().validation()).isEqualTo(0.2);
      assertThat(experiment.evaluation().saveModels()).isTrue();
      assertThat(experiment.seed()).isEqualTo(4 + i % 2);
      Mapping resolved = ExperimentFile.resolvedTree(experiment);
      for (TriedSetting each : chosen.get(i / 2).settings()) {
        assertThat(
                Double.valueOf(
                    SearchSpace.currentValue(resolved, each.path()).orElseThrow().text()))
            .isEqualTo(Double.valueOf(each.value()));
      }
    }
  }
}
