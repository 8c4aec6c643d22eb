package io.kindred.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.ObservationListener.Observed;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.Progress;
import io.kindred.runtime.RoundCompletion;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.ModelFiles;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class RecorderTest {
  private static final int MOST_WAITING = 512;

  @TempDir private Path home;

  /** Evaluations that have not run yet. */
  private final Deque<Runnable> open = new ArrayDeque<>();

  private Experiment experiment;
  private PeerFactory peers;
  private Layout layout;
  private Recorder recorder;
  private Optional<PeerGroups> groups = Optional.empty();

  @SuppressWarnings("NullAway.Init") // these fields are set before each test
  RecorderTest() {}

  @BeforeEach
  void start() {
    experiment = SmallExperiment.with("evaluation.every=2");
    peers = PeerAssembler.peerFactory(experiment, DataFiles.NONE);
    layout =
        peers
            .architecture()
            .initialWeights(new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, 0))
            .layout();
    recorder = recorder(PendingMetrics.empty());
  }

  private Recorder recorder(PendingMetrics pending) {
    Workers workers = new Workers(open::add, peers.trainers(experiment.engine()), System::nanoTime);
    return new Recorder(
        experiment.evaluation(),
        RoundCompletion.inSimulator(experiment.method(), experiment.rounds()),
        workers,
        new Evaluator(workers, peers.datasets()),
        new MetricsFile(file(), 0),
        new RoundTable(experiment.peers()),
        new ModelFiles(home.resolve("models"), false),
        Progress.SILENT,
        pending,
        groups);
  }

  private Path file() {
    return home.resolve("metrics.jsonl");
  }

  private List<JsonNode> lines() {
    return RunFolder.readText(file()).lines().map(Json::tree).toList();
  }

  private void deploy(int peer, int round, Stage stage, int variant) {
    float[] values = new float[layout.size()];
    Arrays.fill(values, variant / 1000f);
    observe(
        peer,
        new Observation.Deployed(
            round, stage, new Predictor.Single(Weights.wrap(layout, values)), Audience.SELF));
  }

  private void observe(int peer, Observation observation) {
    recorder.observed(new Observed(1_000_000, new PeerId(peer), observation, 30, 20, 1));
  }

  @Test
  void linesComeInTheOrderOfEventsWhateverIsEvaluatedFirst() {
    deploy(2, 2, Stage.TRAINED, 1);
    deploy(0, 2, Stage.TRAINED, 2);
    deploy(2, 2, Stage.MIXED, 3);
    while (!open.isEmpty()) {
      open.removeLast().run();
    }
    recorder.sync();
    assertThat(lines())
        .extracting(line -> line.get("peer").asInt() + " " + line.get("stage").asString())
        .containsExactly("2 trained", "0 trained", "2 mixed");
  }

  /** A figure that is computed when a test says so, or when its value is needed. */
  private static final class Slow implements Recorder.DeferredFigure {
    private final double value;
    private boolean done;

    Slow(double value) {
      this.value = value;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public double value() {
      done = true;
      return value;
    }
  }

  @Test
  void aLineWaitsForAFigureThatIsBeingComputed() {
    Slow recall = new Slow(0.25);
    recorder.measured(new PeerId(0), Recorder.RECALL, recall);
    deploy(0, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    deploy(1, 3, Stage.MIXED, 2);
    assertThat(recall.isDone()).isFalse();
    assertThat(lines()).isEmpty();
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines().getFirst().get("extra").get(Recorder.RECALL).asDouble()).isEqualTo(0.25);
    assertThat(lines().getLast().get("extra").has(Recorder.RECALL)).isFalse();
  }

  @Test
  void aCheckpointHasTheFiguresThatWereBeingComputed() {
    recorder.measured(new PeerId(1), Recorder.RECALL, new Slow(0.75));
    recorder.sync();
    PendingMetrics saved = recorder.pendingMetrics().copy();
    recorder.measured(new PeerId(1), Recorder.PURITY, 0.5);
    assertThat(saved.measured().get(1L)).containsOnly(Map.entry(Recorder.RECALL, 0.75));
    recorder = recorder(saved);
    deploy(1, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines().getFirst().get("extra").get(Recorder.RECALL).asDouble()).isEqualTo(0.75);
  }

  @Test
  void aRoundIsWrittenWhenItIsCoveredOrTheLast() {
    for (int round = 1; round <= 3; round++) {
      deploy(0, round, Stage.MIXED, round);
    }
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines()).extracting(line -> line.get("round").asInt()).containsExactly(2, 3);
    assertThat(lines().getFirst().has("globalAccuracy")).isFalse();
    assertThat(lines().getLast().has("globalAccuracy")).isTrue();
  }

  @Test
  void aPredictorThatWasJustEvaluatedIsNotEvaluatedAgain() {
    deploy(0, 2, Stage.TRAINED, 7);
    deploy(0, 2, Stage.MIXED, 7);
    assertThat(open).hasSize(1);
    deploy(1, 2, Stage.MIXED, 7);
    assertThat(open).hasSize(2);
  }

  @Test
  void whatAPeerMeasuredStandsBesideItsNextModel() {
    observe(0, new Observation.Measured(2, "agreement", 0.5));
    observe(0, new Observation.Counted("refused"));
    deploy(0, 2, Stage.MIXED, 1);
    deploy(1, 2, Stage.MIXED, 2);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(measured(lines().getFirst())).isEqualTo(Json.tree("{\"agreement\":0.5}"));
    assertThat(measured(lines().getLast())).isEqualTo(Json.tree("{}"));
    assertThat(lines().getFirst().get("sentBytes").asLong()).isEqualTo(30);
    assertThat(lines().getFirst().get("receivedBytes").asLong()).isEqualTo(20);
    assertThat(lines().getFirst().get("pulled").asLong()).isEqualTo(1);
  }

  @Test
  void theModelsThatAPeerMixedStandBesideTheModelThatResults() {
    observe(
        0,
        new Observation.ModelsMixed(
            2,
            0,
            Observation.Weighting.ESTIMATED,
            0.2,
            List.of(
                new MixedModel(new PeerId(1), 2, 0.125, 30, MixedModel.Treatment.FULL),
                new MixedModel(new PeerId(2), 1, 0, 0, MixedModel.Treatment.DROPPED),
                new MixedModel(new PeerId(3), 2, 0.25, 9, MixedModel.Treatment.SHORTENED))));
    deploy(0, 2, Stage.MIXED, 1);
    deploy(0, 2, Stage.FINAL, 2);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines().getFirst().get("mixed"))
        .isEqualTo(
            Json.tree(
                "[{\"peer\":3,\"round\":2,\"weight\":0.25,\"samples\":9,\"guard\":\"shortened\"},"
                    + "{\"peer\":1,\"round\":2,\"weight\":0.125,\"samples\":30},"
                    + "{\"peer\":2,\"round\":1,\"weight\":0.0,\"guard\":\"dropped\"}]"));
    assertThat(lines().getLast().has("mixed")).isFalse();
  }

  /** The second mixture keeps 0.5 of what the first one made, of which 0.4 is of peer 1. */
  @Test
  void modelsThatArriveOneAfterTheOtherHaveTheirWeightsInTheLastMixture() {
    mixed(0, 0.6, new MixedModel(new PeerId(1), 2, 0.4, 0, MixedModel.Treatment.FULL));
    mixed(0, 0.5, new MixedModel(new PeerId(2), 2, 0.5, 0, MixedModel.Treatment.FULL));
    assertThat(mixedOfNextLine())
        .containsExactly(
            new MetricLine.MixedLine(2, 2, 0.5, null, null),
            new MetricLine.MixedLine(1, 2, 0.2, null, null));
  }

  @Test
  void aMixtureThatAPeerRepeatsAfterARestartCountsOnce() {
    MixedModel model = new MixedModel(new PeerId(1), 2, 0.4, 0, MixedModel.Treatment.FULL);
    mixed(0, 0.6, model);
    mixed(0, 0.6, model);
    assertThat(mixedOfNextLine()).containsExactly(new MetricLine.MixedLine(1, 2, 0.4, null, null));
  }

  @Test
  void aPeerWithSeveralModelsHasThePartOfAllOfThem() {
    mixed(0, 0.6, new MixedModel(new PeerId(1), 2, 0.4, 0, MixedModel.Treatment.FULL));
    mixed(1, 0.8, new MixedModel(new PeerId(2), 2, 0.2, 0, MixedModel.Treatment.FULL));
    assertThat(mixedOfNextLine())
        .containsExactly(
            new MetricLine.MixedLine(1, 2, 0.2, null, null),
            new MetricLine.MixedLine(2, 2, 0.1, null, null));
  }

  @Test
  void aMixtureOutlivesACheckpointAndTheTrainingThatFollows() throws Exception {
    mixed(0, 0.6, new MixedModel(new PeerId(1), 2, 0.4, 7, MixedModel.Treatment.FULL));
    ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
    recorder.pendingMetrics().write(new DataOutputStream(checkpoint));
    recorder =
        recorder(
            PendingMetrics.read(
                new DataInputStream(new ByteArrayInputStream(checkpoint.toByteArray()))));
    deploy(0, 2, Stage.TRAINED, 1);
    assertThat(mixedOfNextLine()).containsExactly(new MetricLine.MixedLine(1, 2, 0.4, 7, null));
  }

  private void mixed(int slot, double ownWeight, MixedModel model) {
    observe(
        0,
        new Observation.ModelsMixed(
            2, slot, Observation.Weighting.EQUAL, ownWeight, List.of(model)));
  }

  private List<MetricLine.MixedLine> mixedOfNextLine() {
    deploy(0, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    recorder.sync();
    List<MetricLine> read = new ArrayList<>();
    MetricsFile.read(file(), read::add);
    return Objects.requireNonNull(read.getLast().mixed());
  }

  /** 0.6 of 0.6 + 0.2; a file that is read again holds the same models. */
  @Test
  void aLineHasThePurityOfTheMixedModelsWhereGroupsArePlanted() {
    groups = Optional.of(new PeerGroups(PeerGroups.Kind.PLANTED, List.of(0, 0, 1)));
    recorder = recorder(PendingMetrics.empty());
    observe(
        0,
        new Observation.ModelsMixed(
            2,
            0,
            Observation.Weighting.ESTIMATED,
            0.2,
            List.of(
                new MixedModel(new PeerId(1), 2, 0.6, 30, MixedModel.Treatment.FULL),
                new MixedModel(new PeerId(2), 1, 0.2, 0, MixedModel.Treatment.SHORTENED))));
    deploy(0, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines().getFirst().get("extra").get("purity").asDouble())
        .isCloseTo(0.75, within(1e-12));
    List<MetricLine> read = new ArrayList<>();
    MetricsFile.read(file(), read::add);
    assertThat(read.getFirst().mixed())
        .containsExactly(
            new MetricLine.MixedLine(1, 2, 0.6, 30, null),
            new MetricLine.MixedLine(2, 1, 0.2, null, "shortened"));
  }

  @Test
  void aLineNamesAtMost64MixedModels() {
    observe(
        0,
        new Observation.ModelsMixed(
            2,
            0,
            Observation.Weighting.ESTIMATED,
            0.2,
            IntStream.rangeClosed(1, 70)
                .mapToObj(
                    each ->
                        new MixedModel(
                            new PeerId(each), 2, each / 5000.0, 1, MixedModel.Treatment.FULL))
                .toList()));
    deploy(0, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    recorder.sync();
    JsonNode mixed = lines().getFirst().get("mixed");
    assertThat(mixed.size()).isEqualTo(64);
    assertThat(mixed.get(0).get("peer").asInt()).isEqualTo(70);
    assertThat(mixed.get(63).get("peer").asInt()).isEqualTo(7);
  }

  @Test
  void aPeerGoesOnMeasuringAfterACheckpoint() throws Exception {
    observe(0, new Observation.Measured(2, "agreement", 0.5));
    ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
    recorder.pendingMetrics().write(new DataOutputStream(checkpoint));
    recorder =
        recorder(
            PendingMetrics.read(
                new DataInputStream(new ByteArrayInputStream(checkpoint.toByteArray()))));
    observe(0, new Observation.Measured(2, "clusters", 3));
    deploy(0, 2, Stage.MIXED, 1);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(measured(lines().getFirst()))
        .isEqualTo(Json.tree("{\"agreement\":0.5,\"clusters\":3.0}"));
  }

  /** What the peer measured, without what the recorder computes of the predictions. */
  private static JsonNode measured(JsonNode line) {
    ObjectNode extra = ((ObjectNode) line.get("extra")).deepCopy();
    assertThat(extra.has("balancedAccuracy")).isTrue();
    assertThat(extra.has("macroF1")).isTrue();
    return extra.remove(List.of("balancedAccuracy", "macroF1"));
  }

  @Test
  void howManyModelsMayWaitIsBounded() throws Exception {
    for (int i = 0; i < MOST_WAITING; i++) {
      deploy(i % 4, 2, Stage.MIXED, i);
    }
    CompletableFuture<Void> oneMore =
        CompletableFuture.runAsync(() -> deploy(0, 2, Stage.MIXED, MOST_WAITING));
    assertThatThrownBy(() -> oneMore.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    open.removeFirst().run();
    oneMore.get(10, TimeUnit.SECONDS);
    open.forEach(Runnable::run);
    recorder.sync();
    assertThat(lines()).hasSize(MOST_WAITING + 1);
  }
}
