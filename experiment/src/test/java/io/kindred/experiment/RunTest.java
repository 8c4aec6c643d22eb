package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.partition.Holdout;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.Progress;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RunTest {
  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local",
        "centralized",
        "{name: fedavg, participants: 2}",
        "{name: fedavg, fineTune: 1}",
        "dfedavgm"
      })
  void sameExperimentTwiceGivesTheSameBytesWithAnyNumberOfWorkers(String method) {
    Experiment experiment = SmallExperiment.with("method=" + method);
    SmallRuns.Results first = SmallRuns.runUninterrupted(experiment, home.resolve("first"));
    assertThat(SmallRuns.runUninterrupted(experiment, home.resolve("again"))).isEqualTo(first);
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(1), home.resolve("one")))
        .isEqualTo(first);
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(3), home.resolve("three")))
        .isEqualTo(first);
    assertThat(first.traceHash()).matches("[0-9a-f]{64}");
    assertThat(first.models()).isNotEmpty();
  }

  /** Fine-tuning happens at each peer when it deploys the model, and causes no event. */
  @Test
  void withAndWithoutFineTuningOnlyTheResultHashDiffers() {
    SmallRuns.Results plain = runNamed("plain", "method=fedavg");
    SmallRuns.Results tuned = runNamed("tuned", "method={name: fedavg, fineTune: 1}");
    assertThat(tuned.traceHash()).isEqualTo(plain.traceHash());
    assertThat(tuned.resultHash()).isNotEqualTo(plain.resultHash()).matches("[0-9a-f]{64}");
  }

  @Test
  void theResultHashCoversModelsThatNoMetricShows() {
    String unmeasured = "evaluation={localTest: 0, global: never}";
    SmallRuns.Results one = runNamed("one", unmeasured, "method={name: fedavg, fineTune: 1}");
    SmallRuns.Results two = runNamed("two", unmeasured, "method={name: fedavg, fineTune: 2}");
    assertThat(two.metrics()).isEqualTo(one.metrics());
    assertThat(two.models()).isEqualTo(one.models());
    assertThat(two.resultHash()).isNotEqualTo(one.resultHash());
  }

  @Test
  void theResultHashCoversWhatIsMeasured() {
    SmallRuns.Results last = runNamed("last", "evaluation.every=3");
    SmallRuns.Results each = runNamed("each", "evaluation.every=1");
    assertThat(each.traceHash()).isEqualTo(last.traceHash());
    assertThat(each.resultHash()).isNotEqualTo(last.resultHash());
  }

  private SmallRuns.Results runNamed(String name, String... assignments) {
    return SmallRuns.runUninterrupted(SmallExperiment.with(assignments), home.resolve(name));
  }

  @Test
  void anEngineThatIsLeftToTheProgramIsRecordedByNameWithItsReason() {
    List<String> notes = new ArrayList<>();
    Path folder = home.resolve("auto");
    SmallRuns.run(
            SmallExperiment.with("engine=auto"),
            folder,
            new NotedProgress(notes),
            new StopSignal(),
            warning -> {})
        .execute(false);
    assertThat(notes)
        .containsExactly(
            "engine auto selects jvm: the faster engine for a model of 15,700 operations a sample");
    RunFolder auto = new RunFolder(folder);
    SmallRuns.Results named = runNamed("jvm", "engine=jvm");
    assertThat(RunFolder.readText(auto.config()))
        .isEqualTo(RunFolder.readText(new RunFolder(home.resolve("jvm")).config()));
    assertThat(SmallRuns.results(folder)).isEqualTo(named);
    JsonNode environment = Json.tree(RunFolder.readText(auto.environment()));
    assertThat(environment.get("engine").asString()).startsWith("jvm, Vector API");
    assertThat(environment.get("engineReason").asString()).startsWith("the faster engine");
    assertThat(
            Json.tree(RunFolder.readText(new RunFolder(home.resolve("jvm")).environment()))
                .has("engineReason"))
        .isFalse();
  }

  private record NotedProgress(List<String> notes) implements Progress {
    @Override
    public void note(String line) {
      notes.add(line);
    }

    @Override
    public void begin(String what, long steps, long done) {}

    @Override
    public void stepCompleted() {}

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {}
  }

  @Test
  void aSettingThatIsTooGreatForTheNumberOfPeersIsWarnedOfAndTheRunGoesOn() {
    List<String> warnings = new ArrayList<>();
    Path folder = home.resolve("warned");
    SmallRuns.run(
            SmallExperiment.with("method={name: random-k, pull: {k: 50}}"),
            folder,
            Progress.SILENT,
            new StopSignal(),
            warnings::add)
        .execute(false);
    assertThat(warnings)
        .containsExactly(
            "'method.pull.k': 50 models in a round, but a peer has only 3 other peers and"
                + " pulls from all of them; choose at most 3, or a share below 1");
    assertThat(new RunFolder(folder).isFinished()).isTrue();
  }

  @Test
  void aLearningRateThatDoesNotFitTheMethodIsWarnedOf() {
    List<String> warnings = new ArrayList<>();
    SmallRuns.run(
            SmallExperiment.with("method=pfedme", "training={learningRate: 0.2}"),
            home.resolve("diverging"),
            Progress.SILENT,
            new StopSignal(),
            warnings::add)
        .execute(false);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("'training.learningRate': 0.2 times 'method.lambda' 15 is 3, and above 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rotation-clusters", "{name: rotation-clusters, augment: true}"})
  void turnedPicturesGiveTheSameBytesWithAnyNumberOfWorkers(String partition) {
    Experiment experiment = SmallExperiment.with("partition=" + partition, "method=fedavg");
    SmallRuns.Results first = SmallRuns.runUninterrupted(experiment, home.resolve("first"));
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(1), home.resolve("one")))
        .isEqualTo(first);
    // Peers of different clusters are evaluated on different versions of the common test set.
    assertThat(
            first
                .metrics()
                .lines()
                .map(Json::tree)
                .filter(line -> line.has("globalAccuracy"))
                .map(line -> line.get("globalAccuracy").asDouble())
                .distinct()
                .count())
        .isGreaterThan(1);
  }

  @Test
  void augmentedPicturesGiveTheSameBytesWithAnyNumberOfWorkers() {
    String training = "training={epochs: 1, batch: 8, augment: ";
    Experiment experiment = SmallExperiment.with("method=dfedavgm", training + "true}");
    SmallRuns.Results first = SmallRuns.runUninterrupted(experiment, home.resolve("first"));
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(1), home.resolve("one")))
        .isEqualTo(first);
    assertThat(
            SmallRuns.runUninterrupted(
                    SmallExperiment.with("method=dfedavgm", training + "false}"),
                    home.resolve("plain"))
                .metrics())
        .isNotEqualTo(first.metrics());
  }

  @Test
  void numbersAreNotAugmentedAndNothingIsWritten() {
    Path folder = home.resolve("numbers");
    assertThatThrownBy(
            () ->
                SmallRuns.runUninterrupted(
                    SmallExperiment.with(
                        "dataset={name: magnet, samples: 200, testSamples: 50}",
                        "training={augment: true}"),
                    folder))
        .hasMessageContaining("[48] are no pictures");
    assertThat(folder).doesNotExist();
  }

  @Test
  void aPeerThatTrainsAloneWaitsForNoOtherPeer() throws IOException {
    SmallRuns.runUninterrupted(SmallExperiment.with("method=local"), home.resolve("alone"));
    SmallRuns.runUninterrupted(SmallExperiment.with("method=dfedavgm"), home.resolve("together"));
    JsonNode alone = virtualSeconds("alone");
    JsonNode together = virtualSeconds("together");
    // Peers have different numbers of samples, and only peers that mix wait for slow ones.
    assertThat(alone.get("communication").asDouble()).isLessThan(1e-9);
    assertThat(together.get("communication").asDouble()).isPositive();
    assertThat(together.get("training")).isEqualTo(alone.get("training"));
  }

  private JsonNode virtualSeconds(String folder) throws IOException {
    String summary = Files.readString(home.resolve(folder).resolve("summary.json"));
    return Json.tree(summary).get("virtualSeconds");
  }

  @Test
  void modelsStartFromAFileWhereOneIsGiven() {
    Path before = home.resolve("before");
    SmallRuns.Results drawn = SmallRuns.runUninterrupted(SmallExperiment.with(), before);
    String file = before.resolve("models/peer-0.safetensors").toString();
    Experiment experiment = SmallExperiment.with("start=" + file, "rounds=1", "method=local");
    SmallRuns.Results started = SmallRuns.runUninterrupted(experiment, home.resolve("started"));
    SmallRuns.Results fresh =
        SmallRuns.runUninterrupted(
            SmallExperiment.with("rounds=1", "method=local"), home.resolve("fresh"));
    assertThat(started.models()).isNotEqualTo(fresh.models());
    assertThat(drawn.models()).isNotEmpty();
    Experiment other = SmallExperiment.with("start=" + file, "model=mlp");
    Path refused = home.resolve("refused");
    assertThatThrownBy(() -> SmallRuns.runUninterrupted(other, refused))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("shape of output.weight");
    assertThat(refused).doesNotExist();
    Experiment missing = SmallExperiment.with("start=nowhere.safetensors");
    assertThatThrownBy(() -> SmallRuns.runUninterrupted(missing, refused))
        .isInstanceOf(SettingException.class)
        .hasMessage("there is no file nowhere.safetensors");
  }

  @Test
  void anotherSeedGivesAnotherTrace() {
    SmallRuns.Results one = SmallRuns.runUninterrupted(SmallExperiment.with(), home.resolve("one"));
    SmallRuns.Results two =
        SmallRuns.runUninterrupted(SmallExperiment.with("seed=2"), home.resolve("two"));
    assertThat(two.traceHash()).isNotEqualTo(one.traceHash());
    assertThat(two.metrics()).isNotEqualTo(one.metrics());
  }

  @Test
  void whatIsMeasuredNeverReachesTheTrace() {
    SmallRuns.Results often =
        SmallRuns.runUninterrupted(SmallExperiment.with(), home.resolve("often"));
    SmallRuns.Results seldom =
        SmallRuns.runUninterrupted(
            SmallExperiment.with("evaluation.every=2", "evaluation.global=never"),
            home.resolve("seldom"));
    assertThat(seldom.traceHash()).isEqualTo(often.traceHash());
    assertThat(seldom.metrics().lines().map(line -> Json.tree(line).get("round").asInt()))
        .containsOnly(2, 3);
  }

  @Test
  void whoTunesSeesValidationSamplesOnly() {
    String[] kept = {"evaluation.validation=0.2", "evaluation.on=validation"};
    var tuned = PeerAssembler.peerDatasets(SmallExperiment.with(kept), DataFiles.NONE);
    var plain = PeerAssembler.peerDatasets(SmallExperiment.with(kept[0]), DataFiles.NONE);
    for (int peer = 0; peer < plain.splits().size(); peer++) {
      Holdout.PeerSplit split = plain.splits().get(peer);
      assertThat(tuned.splits().get(peer))
          .isEqualTo(new Holdout.PeerSplit(split.train(), split.validation(), split.validation()));
    }
    SmallRuns.Results tested =
        SmallRuns.runUninterrupted(SmallExperiment.with(kept[0]), home.resolve("tested"));
    SmallRuns.Results chosen =
        SmallRuns.runUninterrupted(SmallExperiment.with(kept), home.resolve("chosen"));
    assertThat(chosen.traceHash()).isEqualTo(tested.traceHash());
    assertThat(tested.metrics()).contains("globalAccuracy");
    assertThat(chosen.metrics()).doesNotContain("globalAccuracy");
  }

  @Test
  void howFarTrainingGotIsSeenOnTrainingSamplesOnly() {
    var trained =
        PeerAssembler.peerDatasets(SmallExperiment.with("evaluation.on=train"), DataFiles.NONE);
    var plain = PeerAssembler.peerDatasets(SmallExperiment.with(), DataFiles.NONE);
    for (int peer = 0; peer < plain.splits().size(); peer++) {
      Holdout.PeerSplit split = plain.splits().get(peer);
      assertThat(trained.splits().get(peer))
          .isEqualTo(new Holdout.PeerSplit(split.train(), split.validation(), split.train()));
    }
    SmallRuns.Results tested =
        SmallRuns.runUninterrupted(SmallExperiment.with(), home.resolve("tested"));
    SmallRuns.Results watched =
        SmallRuns.runUninterrupted(
            SmallExperiment.with("evaluation.on=train"), home.resolve("watched"));
    assertThat(watched.traceHash()).isEqualTo(tested.traceHash());
    assertThat(watched.metrics()).doesNotContain("globalAccuracy");
  }

  @Test
  void resolvedConfigurationRunsAgainToTheSameTrace() {
    Path folder = home.resolve("first");
    SmallRuns.Results first = SmallRuns.runUninterrupted(SmallExperiment.with("seed=5"), folder);
    String resolved = RunFolder.readText(new RunFolder(folder).config());
    assertThat(SmallRuns.runUninterrupted(SmallExperiment.parse(resolved), home.resolve("again")))
        .isEqualTo(first);
    assertThat(new RunFolder(home.resolve("again")).config()).hasContent(resolved);
  }

  @Test
  void aFinishedFolderHoldsEveryDocumentedFile() throws IOException {
    Path folder = home.resolve("run");
    SmallRuns.runUninterrupted(SmallExperiment.with(), folder);
    for (String name :
        List.of(
            "config.yaml",
            "environment.json",
            "metrics.jsonl",
            "rounds.csv",
            "partition.csv",
            "similarity.csv",
            "summary.json",
            "report.html")) {
      assertThat(folder.resolve(name)).isNotEmptyFile();
    }
    assertThat(folder.resolve("models"))
        .isDirectoryContaining(file -> file.endsWith("peer-3.safetensors"));
    try (var plots = Files.list(folder.resolve("plots"))) {
      assertThat(plots).isNotEmpty().allMatch(file -> file.toString().endsWith(".svg"));
    }
    try (var all = Files.walk(folder)) {
      assertThat(all).noneMatch(file -> file.toString().endsWith(".part"));
    }
  }

  @Test
  void modelsAreKeptOnlyWhereWanted() {
    Path folder = home.resolve("run");
    SmallRuns.run(
            SmallExperiment.with("evaluation.saveModels=false"),
            folder,
            Progress.SILENT,
            new StopSignal(),
            warning -> {})
        .execute(false);
    assertThat(folder.resolve("models")).doesNotExist();
  }

  @Test
  void aFolderThatHoldsARunIsRefusedAndLeftAsItWas() {
    Path folder = home.resolve("run");
    SmallRuns.Results before = SmallRuns.runUninterrupted(SmallExperiment.with(), folder);
    assertThatThrownBy(() -> SmallRuns.runUninterrupted(SmallExperiment.with("seed=2"), folder))
        .isInstanceOfSatisfying(
            OperatorException.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
        .hasMessage(
            folder
                + " already holds a run; continue it with --resume, or name another folder with"
                + " --out");
    assertThat(SmallRuns.results(folder)).isEqualTo(before);
  }

  @Test
  void aRequestThatCannotBeMetLeavesNothingBehind() {
    Path folder = home.resolve("run");
    assertThatThrownBy(
            () ->
                SmallRuns.runUninterrupted(SmallExperiment.with("partition.minimum=1000"), folder))
        .hasMessageContaining("4 peers cannot hold 1000 samples each");
    assertThat(folder).doesNotExist();
  }

  @Test
  void withoutOwnTestSamplesTheCommonTestSetStillCounts() {
    Path folder = home.resolve("run");
    SmallRuns.Results results =
        SmallRuns.runUninterrupted(SmallExperiment.with("evaluation.localTest=0"), folder);
    var accuracy = Json.tree(RunFolder.readText(new RunFolder(folder).summary())).get("accuracy");
    assertThat(accuracy.get("local").isEmpty()).isTrue();
    assertThat(accuracy.get("global").get("mean").asDouble()).isBetween(0.05, 1.0);
    String last = results.rounds().lines().toList().getLast();
    assertThat(last).startsWith("3,mixed,,,,,,0.");
  }
}
