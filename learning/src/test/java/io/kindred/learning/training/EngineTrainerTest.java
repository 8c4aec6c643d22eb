package io.kindred.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.DataView.Split;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.compute.Ticket.Detail;
import io.kindred.core.compute.TrainBuilder;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Holdout.PeerSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EngineTrainerTest {
  private static final PeerId PEER = new PeerId(1);
  private static final DataView OWN = DataView.own(Split.TRAIN);
  private static final Architecture ARCHITECTURE = LearningFixtures.network(3, 2);
  private static final Samples TRAIN = LearningFixtures.randomSamples(1, 12, 3, 2);
  private static final Samples TEST = LearningFixtures.randomSamples(2, 4, 3, 2);
  private static final PeerDatasets HOLDINGS =
      new PeerDatasets(
          new Dataset("toy", List.of(3), 2, TRAIN, TEST),
          List.of(
              new PeerSplit(Ints.of(0, 1), Ints.of(2), Ints.of(3)),
              new PeerSplit(Ints.of(11, 4, 9, 5, 6), Ints.of(8), Ints.of(10, 7))));

  private final Engine engine = new Jvm().create(ARCHITECTURE);
  private final EngineTrainer trainer = new EngineTrainer(engine, HOLDINGS, new RandomStreams(1));
  private final Weights first = ARCHITECTURE.initialWeights(LearningFixtures.random(3));
  private final Weights second = ARCHITECTURE.initialWeights(LearningFixtures.random(4));

  private record Doubled(int value) implements PureFunction.Answer {}

  private record Twice(int value) implements PureFunction {
    @Override
    public Answer apply() {
      return new Doubled(2 * value);
    }

    @Override
    public long operations() {
      return 77;
    }
  }

  private Ticket.Train ticket(double learningRate, int batch, Ticket.Duration duration) {
    return LearningFixtures.ticket(first, new Optimizer(learningRate, 0, 0), batch, duration);
  }

  @Test
  void meanLossesOfMixturesAreTheMeansOfTheirSampleLosses() {
    Mixture mixture =
        new Mixture(List.of(new MixturePart(first, 0.75), new MixturePart(second, 0.25)));
    List<Mixture> mixtures = List.of(Mixture.of(first), mixture);
    Result.Losses means =
        (Result.Losses) trainer.perform(PEER, new Ticket.Losses(mixtures, OWN, Detail.MEAN));
    Result.Losses each =
        (Result.Losses) trainer.perform(PEER, new Ticket.Losses(mixtures, OWN, Detail.PER_SAMPLE));
    assertThat(each.perMixture()).extracting(Floats::size).containsExactly(5, 5);
    for (int m = 0; m < 2; m++) {
      double sum = 0;
      for (float loss : each.perMixture().get(m).copy()) {
        sum += loss;
      }
      assertThat(means.perMixture().get(m).size()).isEqualTo(1);
      assertThat(means.perMixture().get(m).get(0)).isCloseTo((float) (sum / 5), within(1e-6f));
    }
    assertThat(each.perMixture().get(1))
        .isEqualTo(
            Floats.wrap(engine.losses(VectorKernels.mix(mixture), HOLDINGS.rows(PEER, OWN))));
  }

  /** Returns each model's first weight as the loss of every row. */
  private static final class Counting implements Engine {
    private final List<Integer> together = new ArrayList<>();

    @Override
    public double lossAndGradient(
        float[] weights, Batch batch, float[] gradient, RandomStream noise) {
      throw new UnsupportedOperationException("only losses are counted");
    }

    @Override
    public List<float[]> losses(List<Weights> models, SampleRows rows) {
      together.add(models.size());
      return models.stream().map(each -> new float[] {each.get(0)}).toList();
    }

    @Override
    public float[] outputs(Weights weights, SampleRows rows) {
      throw new UnsupportedOperationException("only losses are counted");
    }
  }

  @Test
  void largeModelsAreMixedFewAtATime() {
    int size = 1 << 20;
    Layout layout = Layout.builder().add("all", size).build();
    float[] values = new float[size];
    values[0] = 1;
    Weights large = Weights.wrap(layout, values);
    List<Mixture> mixtures =
        IntStream.range(0, 5)
            .mapToObj(i -> new Mixture(List.of(new MixturePart(large, i))))
            .toList();
    Counting counting = new Counting();
    DataView one = OWN.select(new Selection.Subset(Ints.of(0)));
    Result.Losses losses =
        (Result.Losses)
            new EngineTrainer(counting, HOLDINGS, new RandomStreams(1))
                .perform(PEER, new Ticket.Losses(mixtures, one, Detail.MEAN));
    assertThat(counting.together).containsExactly(2, 2, 1);
    assertThat(losses.perMixture())
        .extracting(each -> each.get(0))
        .containsExactly(0f, 1f, 2f, 3f, 4f);
  }

  @Test
  void meanLossesOfWeightedSamplesDivideByTheNumberOfSamples() {
    DataView weighted = OWN.select(new Selection.Weighted(Floats.of(0, 3, 0, 1, 0)));
    Result.Losses mean =
        (Result.Losses)
            trainer.perform(
                PEER, new Ticket.Losses(List.of(Mixture.of(first)), weighted, Detail.MEAN));
    float[] losses = engine.losses(first, HOLDINGS.rows(PEER, OWN));
    assertThat(mean.perMixture().getFirst().get(0))
        .isCloseTo((3 * losses[1] + losses[3]) / 5, within(1e-6f));
  }

  @Test
  void anEnsembleAveragesProbabilities() {
    Mixture members =
        new Mixture(List.of(new MixturePart(first, 0.3), new MixturePart(second, 0.7)));
    SampleRows rows = HOLDINGS.commonTestRows(PEER);
    float[] a = engine.outputs(first, rows);
    float[] b = engine.outputs(second, rows);
    double loss = 0;
    int right = 0;
    for (int row = 0; row < 4; row++) {
      int label = TEST.labels().get(row);
      double zero = 0.3 * a[2 * row] + 0.7 * b[2 * row];
      loss -= Math.log(label == 0 ? zero : 1 - zero) / 4;
      right += (zero >= 0.5 ? 0 : 1) == label ? 1 : 0;
    }
    EvaluationResult result = trainer.evaluate(PEER, new Predictor.Ensemble(members), rows);
    assertThat(result.loss()).isCloseTo(loss, within(1e-6));
    assertThat(result.accuracy()).isEqualTo(right / 4.0);
    assertThat(result.samples()).isEqualTo(4);
  }

  @Test
  void anAdaptedPredictorTrainsACopyOnThePeersOwnData() {
    Ticket.Train adaptation = ticket(0.5, 2, new Ticket.Duration.Epochs(3));
    float[] before = first.copy();
    SampleRows rows = HOLDINGS.commonTestRows(PEER);
    EvaluationResult adapted = trainer.evaluate(PEER, new Predictor.Adapted(adaptation), rows);
    assertThat(first.copy()).containsExactly(before);
    Result.Trained trained = (Result.Trained) trainer.perform(PEER, adaptation);
    assertThat(adapted)
        .isEqualTo(trainer.evaluate(PEER, new Predictor.Single(trained.weights()), rows))
        .isNotEqualTo(trainer.evaluate(PEER, new Predictor.Single(first), rows));
    assertThat(trainer.perform(new PeerId(0), adaptation)).isNotEqualTo(trained);
  }

  @Test
  void divergenceIsSaidInWords() {
    assertThatThrownBy(() -> trainer.perform(PEER, ticket(3e38, 1, new Ticket.Duration.Epochs(20))))
        .isInstanceOf(DivergedException.class)
        .hasMessageContaining("peer 1")
        .hasMessageContaining("lower the learning rate");
  }

  /** In a layer that is not trained, where it does not reach the weights. */
  @Test
  void aVelocityThatIsNoLongerFiniteIsDivergence() {
    float[] fast = new float[first.size()];
    fast[0] = Float.POSITIVE_INFINITY;
    Ticket.Train ticket =
        TrainBuilder.from(ticket(0.1, 0, new Ticket.Duration.Steps(1)))
            .objective(Objective.plain().onlyLayers(List.of("output.bias")))
            .velocity(Optional.of(Weights.wrap(first.layout(), fast)))
            .returnsVelocity(true)
            .build();
    assertThatThrownBy(() -> trainer.perform(PEER, ticket))
        .isInstanceOf(DivergedException.class)
        .hasMessageContaining("peer 1")
        .hasMessageContaining("the velocity is no longer finite");
  }

  @Test
  void theShuffleKeyAloneDecidesTheOrder() {
    Ticket.Train train = ticket(0.3, 2, new Ticket.Duration.Epochs(2));
    EngineTrainer twin =
        new EngineTrainer(new Jvm().create(ARCHITECTURE), HOLDINGS, new RandomStreams(1));
    EngineTrainer other =
        new EngineTrainer(new Jvm().create(ARCHITECTURE), HOLDINGS, new RandomStreams(2));
    assertThat(twin.perform(PEER, train)).isEqualTo(trainer.perform(PEER, train));
    assertThat(other.perform(PEER, train)).isNotEqualTo(trainer.perform(PEER, train));
  }

  @Test
  void outputsMixesAndCallsAreOpened() {
    Mixture half = Mixture.mean(List.of(first, second));
    assertThat(trainer.perform(PEER, new Ticket.Mix(half)))
        .isEqualTo(new Result.Mixed(VectorKernels.mix(half)));
    assertThat(trainer.perform(PEER, new Ticket.Call(new Twice(21))))
        .isEqualTo(new Result.Answered(new Doubled(42)));
    Result.Outputs outputs =
        (Result.Outputs) trainer.perform(PEER, new Ticket.Outputs(Mixture.of(first), OWN));
    assertThat(outputs.width()).isEqualTo(2);
    assertThat(outputs.values())
        .isEqualTo(Floats.wrap(engine.outputs(first, HOLDINGS.rows(PEER, OWN))));
  }

  @Test
  void aScoreWithoutSamplesIsNotANumber() {
    EvaluationResult result =
        trainer.evaluate(PEER, new Predictor.Single(first), SampleRows.of(TRAIN, Ints.of()));
    assertThat(result).isEqualTo(new EvaluationResult(Double.NaN, Double.NaN, new TreeMap<>(), 0));
  }

  @Test
  void tiesGoToTheLowerClass() {
    Weights zero = Weights.wrap(ARCHITECTURE.layout(), new float[ARCHITECTURE.layout().size()]);
    SampleRows rows = HOLDINGS.commonTestRows(PEER);
    long zeros = IntStream.of(TEST.labels().copy()).filter(label -> label == 0).count();
    EvaluationResult result = trainer.evaluate(PEER, new Predictor.Single(zero), rows);
    assertThat(result.accuracy()).isEqualTo(zeros / 4.0);
    assertThat(result.loss()).isCloseTo(Math.log(2), within(1e-7));
  }

  @Test
  void operationsFollowFromSizes() {
    // Three inputs, a bias and two classes: 16 operations forward, 48 with the backward pass.
    OperationCounter operationCounter = new OperationCounter(ARCHITECTURE, HOLDINGS);
    assertThat(operationCounter.count(PEER, ticket(1, 2, new Ticket.Duration.Epochs(3))))
        .isEqualTo(48 * 15);
    assertThat(operationCounter.count(PEER, ticket(1, 2, new Ticket.Duration.Steps(4))))
        .isEqualTo(48 * 8);
    assertThat(operationCounter.count(PEER, ticket(1, 99, new Ticket.Duration.Steps(4))))
        .isEqualTo(48 * 20);
    List<Mixture> two = List.of(Mixture.of(first), Mixture.of(second));
    assertThat(operationCounter.count(PEER, new Ticket.Losses(two, OWN, Detail.MEAN)))
        .isEqualTo(160);
    assertThat(operationCounter.count(PEER, new Ticket.Outputs(Mixture.of(first), OWN)))
        .isEqualTo(80);
    assertThat(operationCounter.count(PEER, new Ticket.Mix(Mixture.mean(List.of(first, second)))))
        .isEqualTo(2 * 8 * 2);
    assertThat(operationCounter.count(PEER, new Ticket.Call(new Twice(1)))).isEqualTo(77);
  }

  /** Five samples in batches of two are three steps an epoch. */
  @Test
  void epochsFollowFromSteps() {
    OperationCounter operationCounter = new OperationCounter(ARCHITECTURE, HOLDINGS);
    assertThat(operationCounter.epochs(PEER, ticket(1, 2, new Ticket.Duration.Epochs(3))))
        .isEqualTo(3);
    assertThat(operationCounter.epochs(PEER, ticket(1, 2, new Ticket.Duration.Steps(6))))
        .isEqualTo(2);
    assertThat(operationCounter.epochs(PEER, ticket(1, 0, new Ticket.Duration.Steps(4))))
        .isEqualTo(4);
    Ticket.Train part =
        TrainBuilder.from(ticket(1, 2, new Ticket.Duration.Epochs(1)))
            .view(OWN.select(new DataView.Selection.Subset(Ints.of(0, 3))))
            .build();
    assertThat(operationCounter.epochs(PEER, part)).isEqualTo(1.0 / 3);
  }

  @Test
  void stepsOverTheFullBatchCountEverySample() {
    OperationCounter operationCounter = new OperationCounter(ARCHITECTURE, HOLDINGS);
    assertThat(operationCounter.count(PEER, ticket(1, 0, new Ticket.Duration.Steps(4))))
        .isEqualTo(48 * 20);
  }
}
