package io.kindred.learning.torch;

import static io.kindred.learning.engine.DoubleNetwork.relativeError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Task;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.MagnetMlp;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.PeerDatasets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Regression models on both engines. */
@NeedsNatives
class RegressionTest {
  private static final int NUMBERS = 6;

  static List<EngineChoice> engines() {
    return List.of(new Jvm(), new Torch(TorchDevice.CPU));
  }

  /** Targets that are a linear map of the inputs, so that a model can learn them. */
  private static Dataset dataset(int count, int width) {
    Samples inputs = LearningFixtures.randomSamples(1, count, width, 3);
    RandomStream random = LearningFixtures.random(2);
    float[][] map = new float[NUMBERS][width];
    for (float[] row : map) {
      for (int i = 0; i < width; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    float[][] targets = new float[count][NUMBERS];
    float[] sample = new float[width];
    for (int s = 0; s < count; s++) {
      inputs.features().copy(s, sample, 0);
      for (int o = 0; o < NUMBERS; o++) {
        for (int i = 0; i < width; i++) {
          targets[s][o] += map[o][i] * sample[i];
        }
      }
    }
    Samples samples = LearningFixtures.withTargets(inputs, targets);
    return new Dataset("numbers", List.of(width), 3, samples, samples);
  }

  @Test
  void theDataSetSaysWhatIsAsked() {
    Dataset numbers = dataset(4, 5);
    assertThat(numbers.task()).isEqualTo(Task.REGRESSION);
    assertThat(numbers.outputs()).isEqualTo(NUMBERS);
    Architecture magnet = new MagnetMlp(8).sizedFor(numbers);
    assertThat(magnet.outputs()).isEqualTo(NUMBERS);
    assertThat(magnet.task()).isEqualTo(Task.REGRESSION);
    Samples plain = LearningFixtures.randomSamples(1, 4, 5, 3);
    Dataset classes = new Dataset("classes", List.of(5), 3, plain, plain);
    assertThat(classes.task()).isEqualTo(Task.CLASSIFICATION);
    assertThat(new MagnetMlp(8).sizedFor(classes).outputs()).isEqualTo(3);
    assertThatThrownBy(() -> new Dataset("odd", List.of(5), 3, numbers.train(), plain))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plain.withTargets(dataset(3, 5).train().features()))
        .hasMessage("4 samples but 3 targets");
  }

  @ParameterizedTest
  @MethodSource("engines")
  void theGradientAgreesWithFiniteDifferences(EngineChoice choice) {
    Dataset dataset = dataset(19, 12);
    Architecture architecture = new MagnetMlp(7).sizedFor(dataset);
    Ints all = LearningFixtures.all(dataset.train()).indices();
    float[] sampleWeights = new float[19];
    for (int i = 0; i < 19; i++) {
      sampleWeights[i] = i % 3;
    }
    SampleRows rows = new SampleRows(dataset.train(), all, Optional.of(Floats.wrap(sampleWeights)));
    Batch batch = LearningFixtures.batch(rows);
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    float[] gradient = new float[start.size()];
    double sum =
        choice
            .create(architecture)
            .lossAndGradient(start.copy(), batch, gradient, TestNetworks.random(2));
    DoubleNetwork plain = new DoubleNetwork(architecture);
    double[] wide = DoubleNetwork.widen(start.shared());
    double loss = plain.loss(wide, batch);
    assertThat(sum / batch.size()).isCloseTo(loss, within(1e-5 * loss));
    assertThat(relativeError(gradient, plain.slope(wide, batch))).isLessThan(1e-4);
  }

  @Test
  void enginesAgree() {
    Dataset dataset = dataset(300, 48);
    Architecture architecture = new MagnetMlp(32).sizedFor(dataset);
    SampleRows rows = LearningFixtures.all(dataset.train());
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Engine jvm = new Jvm().create(architecture);
    Engine torch = TestNetworks.engine(architecture);
    float[] expected = new float[start.size()];
    float[] actual = new float[start.size()];
    double loss =
        jvm.lossAndGradient(
            start.copy(), LearningFixtures.batch(rows), expected, TestNetworks.random(2));
    assertThat(
            torch.lossAndGradient(
                start.copy(), LearningFixtures.batch(rows), actual, TestNetworks.random(2)))
        .isCloseTo(loss, within(1e-5 * loss));
    assertThat(relativeError(actual, expected)).isLessThan(1e-4);
    assertThat(relativeError(torch.losses(start, rows), jvm.losses(start, rows))).isLessThan(1e-4);
    assertThat(relativeError(torch.outputs(start, rows), jvm.outputs(start, rows)))
        .isLessThan(1e-4);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aLinearMapIsFound(EngineChoice choice) {
    Dataset dataset = dataset(64, 5);
    Architecture architecture = new Softmax().sizedFor(dataset);
    Ticket.Train ticket =
        LearningFixtures.ticket(
            architecture.initialWeights(TestNetworks.random(1)),
            new Optimizer(0.5, 0, 0),
            0,
            new Ticket.Duration.Steps(500));
    Result.Trained trained =
        new LocalTraining(choice.create(architecture))
            .train(ticket, LearningFixtures.all(dataset.train()), LearningFixtures.random(3));
    assertThat(trained.loss()).isLessThan(1e-6);
  }

  /** Two outputs from one input: outputs (2, -1) and (4, -2) for the targets (5, 3) and (4, -2). */
  @ParameterizedTest
  @MethodSource("engines")
  void aScoreHasSquaresAndDistancesAndNoAccuracy(EngineChoice choice) {
    Samples samples =
        LearningFixtures.withTargets(
            LearningFixtures.samples(new float[][] {{1}, {2}}, 0, 0),
            new float[][] {{5, 3}, {4, -2}});
    Dataset dataset = new Dataset("hand", List.of(1), 1, samples, samples);
    Architecture architecture = new Softmax().sizedFor(dataset);
    Weights weights = Weights.copyOf(architecture.layout(), new float[] {2, -1, 0, 0});
    Engine engine = choice.create(architecture);
    EngineTrainer trainer =
        new EngineTrainer(
            engine,
            new PeerDatasets(dataset, List.of(new PeerSplit(Ints.of(0, 1), Ints.of(), Ints.of()))),
            new RandomStreams(1));
    SampleRows rows = LearningFixtures.all(samples);
    assertThat(engine.outputs(weights, rows)).containsExactly(2, -1, 4, -2);
    assertThat(engine.losses(weights, rows)).containsExactly((9 + 16) / 2f, 0);
    EvaluationResult expected =
        new EvaluationResult(
            25 / 4.0,
            Double.NaN,
            new TreeMap<>(
                Map.of("distance", 5 / 2.0, "mae", (3 + 4) / 4.0, "rmse", Math.sqrt(25 / 4.0))),
            2);
    PeerId peer = new PeerId(0);
    assertThat(trainer.evaluate(peer, new Predictor.Single(weights), rows)).isEqualTo(expected);
    Mixture twice =
        new Mixture(List.of(new MixturePart(weights, 0.25), new MixturePart(weights, 0.75)));
    assertThat(trainer.evaluate(peer, new Predictor.Ensemble(twice), rows)).isEqualTo(expected);
  }
}
