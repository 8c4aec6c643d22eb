package io.kindred.experiment.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.weights.Ints;
import io.kindred.experiment.tuning.SearchSpace.KeyRange;
import io.kindred.experiment.tuning.Try.TriedSetting;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.EvaluationSettings.SampleSplit;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.storage.config.ConfigFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TuningPlanTest {
  private static final String FILE =
      SmallExperiment.FILE.replace("method: dfedavgm", "method: {name: dfedavgm, momentum: 0.5}");

  private static ExperimentFile file(String methods, String... assignments) {
    List<String> all =
        Stream.concat(Stream.of("sweep.method=[" + methods + "]"), Arrays.stream(assignments))
            .toList();
    return ExperimentFile.of(ConfigFile.parse("small.yaml", FILE), Optional.empty(), all);
  }

  private static TuningPlan.Request request(int budget, TuningSearch search, String... ranges) {
    return new TuningPlan.Request(
        budget, search, List.of(), Arrays.stream(ranges).map(KeyRange::parse).toList());
  }

  private static TuningPlan random(String methods, int budget, String... ranges) {
    return new TuningPlan(file(methods), request(budget, TuningSearch.RANDOM, ranges));
  }

  private static List<String> settings(TuningPlan plan, int method) {
    return plan.methods().get(method).tries().stream().map(Try::assignments).toList();
  }

  private static List<String> values(TuningPlan plan, int method, String path) {
    return plan.methods().get(method).tries().stream()
        .flatMap(each -> each.settings().stream())
        .filter(each -> each.path().equals(path))
        .map(TriedSetting::value)
        .toList();
  }

  @Test
  void everyMethodHasTheSameNumberOfTries() {
    for (TuningSearch search : TuningSearch.values()) {
      TuningPlan plan =
          new TuningPlan(file("local,fedavg,fedamp,semantic-dfl"), request(7, search));
      assertThat(plan.methods()).hasSize(4).allSatisfy(each -> assertThat(each.tries()).hasSize(7));
      assertThat(plan.cells()).hasSize(28);
      assertThat(plan.methods())
          .allSatisfy(each -> assertThat(each.tries()).doesNotHaveDuplicates());
    }
  }

  @Test
  void aMethodIsCalledAsTheUserNamedIt() {
    assertThat(random("dfedavgm,{name: dfca, clusters: 4}", 1).methods())
        .extracting(TuningPlan.MethodTries::method)
        .containsExactly("dfedavgm", "dfca clusters=4");
  }

  @Test
  void theFirstTryHasTheSettingsOfTheFileOrTheDefaults() {
    TuningPlan plan = random("dfedavgm,fedavg", 3);
    assertThat(settings(plan, 0).getFirst())
        .isEqualTo("training.learningRate=0.05 method.momentum=0.5");
    assertThat(settings(plan, 1).getFirst())
        .isEqualTo("training.learningRate=0.05 method.fineTune=0");
    assertThat(plan.cells().getFirst().experiment().method())
        .isEqualTo(SmallExperiment.parse(FILE).method());
  }

  @Test
  void theSameSeedGivesTheSameTriesAndAnotherSeedOthers() {
    assertThat(settings(random("fedamp", 6), 0)).isEqualTo(settings(random("fedamp", 6), 0));
    assertThat(settings(random("fedamp", 9), 0).subList(0, 6))
        .as("a larger budget adds tries")
        .isEqualTo(settings(random("fedamp", 6), 0));
    TuningPlan other = new TuningPlan(file("fedamp", "seed=2"), request(6, TuningSearch.RANDOM));
    assertThat(settings(other, 0).subList(1, 6))
        .doesNotContainAnyElementsOf(settings(random("fedamp", 6), 0));
  }

  @Test
  void otherMethodsChangeNoTriesAndATryHasOneLearningRateForAll() {
    TuningPlan together = random("local,fedamp", 5);
    assertThat(settings(together, 1)).isEqualTo(settings(random("fedamp", 5), 0));
    assertThat(values(together, 0, "training.learningRate"))
        .isEqualTo(values(together, 1, "training.learningRate"));
  }

  @Test
  void aGridHasEqualDistancesAndTheBudgetAsItsSize() {
    TuningPlan plan = new TuningPlan(file("dfedavgm"), request(5, TuningSearch.GRID));
    assertThat(settings(plan, 0))
        .containsExactlyInAnyOrder(
            "training.learningRate=0.05 method.momentum=0.5",
            "training.learningRate=0.015 method.momentum=0",
            "training.learningRate=0.015 method.momentum=0.95",
            "training.learningRate=0.15 method.momentum=0",
            "training.learningRate=0.15 method.momentum=0.95");
  }

  @Test
  void aSpaceWithFewerCombinationsThanTheBudgetIsTriedCompletely() {
    for (TuningSearch search : TuningSearch.values()) {
      TuningPlan plan =
          new TuningPlan(
              file("fedavg"),
              request(9, search, "training.learningRate=0.05", "method.fineTune=0,1,2"));
      assertThat(values(plan, 0, "method.fineTune")).containsExactlyInAnyOrder("0", "1", "2");
    }
  }

  @Test
  void aValueThatIsWrittenInAnotherWayIsNotTriedTwice() {
    TuningPlan plan =
        random(
            "semantic-dfl",
            5,
            "method.pull.psi=2,2.0,4",
            "method.pull.temperature=1.00",
            "training.learningRate=0.05");
    assertThat(values(plan, 0, "method.pull.psi")).containsExactlyInAnyOrder("2", "4");
    assertThat(plan.cells()).hasSize(2);
  }

  @Test
  void rangesOfTheUserReplaceTheDeclaredOnesOrAreAdded() {
    TuningPlan plan =
        random("dfedavgm,fedavg", 6, "dfedavgm.momentum=0.1,0.2", "training.batch=8,32");
    assertThat(values(plan, 0, "method.momentum").subList(1, 6)).containsOnly("0.1", "0.2");
    for (int method = 0; method < 2; method++) {
      assertThat(values(plan, method, "training.batch").getFirst()).isEqualTo("16");
      assertThat(values(plan, method, "training.batch").subList(1, 6)).containsOnly("8", "32");
    }
    assertThat(plan.cells()).allMatch(cell -> cell.experiment().training().batch() > 0);
  }

  @Test
  void aSettingOfAChoiceInsideAMethodCanBeTuned() {
    TuningPlan plan = random("semantic-dfl", 3, "method.discovery.zoneSize=4,8");
    assertThat(values(plan, 0, "method.discovery.zoneSize").getFirst()).isEqualTo("20");
    assertThat(values(plan, 0, "method.discovery.zoneSize").subList(1, 3)).containsOnly("4", "8");
  }

  @Test
  void aRangeForAKeyThatNoMethodHasIsRefused() {
    assertThatThrownBy(() -> random("fedavg,ditto", 2, "method.lamda=0..1"))
        .hasMessage(
            "--param method.lamda=0..1: there is no such key; did you mean 'method.lambda'?");
    assertThatThrownBy(() -> random("fedavg", 2, "ditto.lambda=0..1"))
        .hasMessage(
            "--param ditto.lambda=0..1: 'ditto' is not tuned; add it to --methods, or leave the"
                + " range out");
    assertThatThrownBy(() -> random("fedavg", 2, "peers=4..8"))
        .hasMessageContaining("name a key as in training.momentum, method.lambda or ditto.lambda");
    assertThatThrownBy(() -> random("fedavg", 2, "method.fineTune="))
        .hasMessageStartingWith("--param method.fineTune=: has no range; write KEY=RANGE");
  }

  @Test
  void aRangeBeyondTheBoundsOfItsSettingIsRefusedWithTheBounds() {
    assertThatThrownBy(() -> random("dfedavgm", 9, "method.momentum=1.5..3").cells())
        .hasMessageContaining("method.momentum")
        .hasMessageContaining("from 0 to 0.9999");
  }

  @Test
  void aBudgetBelowOneIsRefused() {
    assertThatThrownBy(() -> random("fedavg", 0))
        .hasMessage("--budget must be a whole number of at least 1, but is '0'");
  }

  @Test
  void aFileOfSeveralTasksIsRefused() {
    assertThatThrownBy(
            () ->
                new TuningPlan(
                    file("fedavg", "sweep.partition.alpha=[1, 2]"),
                    request(2, TuningSearch.RANDOM)))
        .hasMessageContaining("a tuning needs one task, but the file sweeps");
  }

  @Test
  void theFirstSeedOfTheFileCountsUnlessSeedsAreNamed() {
    TuningPlan first =
        new TuningPlan(file("local", "seeds=[5, 6]"), request(2, TuningSearch.RANDOM));
    assertThat(first.seeds()).containsExactly(5L);
    assertThat(first.cells()).extracting(cell -> cell.experiment().seed()).containsExactly(5L, 5L);
    assertThat(first.cells()).noneMatch(cell -> cell.label().contains("seed"));
    TuningPlan named =
        new TuningPlan(
            file("local"),
            new TuningPlan.Request(2, TuningSearch.RANDOM, List.of(3L, 4L), List.of()));
    assertThat(named.cells())
        .extracting(cell -> cell.experiment().seed())
        .containsExactly(3L, 4L, 3L, 4L);
  }

  /** Peers and evaluations reach samples through these splits and no other way. */
  @Test
  void noCellHoldsATestSample() {
    for (GridCell cell : random("local,dpfl", 2).cells()) {
      Experiment tried = cell.experiment();
      assertThat(tried.evaluation().on()).isEqualTo(SampleSplit.VALIDATION);
      assertThat(tried.evaluation().validation()).isEqualTo(0.2);
      assertThat(IntStream.rangeClosed(0, 3))
          .noneMatch(round -> tried.evaluation().evaluatesGloballyInRound(round, 3));
      List<PeerSplit> tested = splits(SmallExperiment.with("evaluation.validation=0.2"));
      List<PeerSplit> used = splits(tried);
      for (int peer = 0; peer < tested.size(); peer++) {
        SortedSet<Integer> seen = indices(used.get(peer).train());
        seen.addAll(indices(used.get(peer).validation()));
        seen.addAll(indices(used.get(peer).test()));
        assertThat(used.get(peer).validation().size()).isPositive();
        assertThat(indices(tested.get(peer).test())).isNotEmpty().doesNotContainAnyElementsOf(seen);
      }
    }
  }

  private static List<PeerSplit> splits(Experiment experiment) {
    return PeerAssembler.peerDatasets(experiment, DataFiles.NONE).splits();
  }

  private static SortedSet<Integer> indices(Ints part) {
    SortedSet<Integer> indices = new TreeSet<>();
    IntStream.range(0, part.size()).forEach(i -> indices.add(part.get(i)));
    return indices;
  }

  @Test
  void theShareOfValidationSamplesInTheFileIsKept() {
    TuningPlan plan =
        new TuningPlan(file("local", "evaluation.validation=0.1"), request(1, TuningSearch.RANDOM));
    assertThat(plan.addsValidation()).isFalse();
    assertThat(plan.cells().getFirst().experiment().evaluation().validation()).isEqualTo(0.1);
    assertThat(random("local", 1).addsValidation()).isTrue();
  }
}
