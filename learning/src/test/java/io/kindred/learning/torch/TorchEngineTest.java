package io.kindred.learning.torch;

import static io.kindred.learning.engine.DoubleNetwork.relativeError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.LayerShape.BatchNorm;
import io.kindred.learning.model.LayerShape.Dense;
import io.kindred.learning.model.LayerShape.Dropout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsNatives
class TorchEngineTest {
  /** The units of each hidden layer, separated by spaces. */
  private static Architecture network(String hidden) {
    int[] units =
        hidden.isEmpty()
            ? new int[0]
            : Arrays.stream(hidden.split(" ")).mapToInt(Integer::parseInt).toArray();
    return LearningFixtures.network(37, 5, units);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "64", "33 17", "200 100 50"})
  void agreesWithTheJvmEngine(String hidden) {
    Architecture architecture = network(hidden);
    Samples samples = LearningFixtures.randomSamples(1, 300, 37, 5);
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    float[] sampleWeights = new float[300];
    for (int i = 0; i < 300; i++) {
      sampleWeights[i] = i % 7;
    }
    SampleRows rows =
        new SampleRows(
            samples,
            LearningFixtures.all(samples).indices(),
            Optional.of(Floats.wrap(sampleWeights)));
    Batch batch = new Batch(rows, TestNetworks.random(2).permutation(300), 100, 164);
    Engine jvm = new Jvm().create(architecture);
    Engine torch = TestNetworks.engine(architecture);

    float[] expected = new float[start.size()];
    float[] actual = new float[start.size()];
    double loss = jvm.lossAndGradient(start.copy(), batch, expected, TestNetworks.random(3));
    assertThat(torch.lossAndGradient(start.copy(), batch, actual, TestNetworks.random(3)))
        .isCloseTo(loss, within(1e-4 * loss));
    assertThat(relativeError(actual, expected)).isLessThan(1e-4);
    assertThat(relativeError(torch.losses(start, rows), jvm.losses(start, rows))).isLessThan(1e-4);
    assertThat(relativeError(torch.outputs(start, rows), jvm.outputs(start, rows)))
        .isLessThan(1e-4);
  }

  @Test
  void samplesWithoutWeightGiveNoGradient() {
    Architecture architecture = TestNetworks.everything();
    SampleRows rows =
        new SampleRows(
            LearningFixtures.randomSamples(7, 2, architecture.inputs(), TestNetworks.CLASSES),
            Ints.of(0, 1),
            Optional.of(Floats.of(0f, 0f)));
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    float[] gradient = new float[start.size()];
    double lossSum =
        TestNetworks.engine(architecture)
            .lossAndGradient(
                start.copy(), LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    assertThat(lossSum).isZero();
    for (float each : gradient) {
      assertThat(each == 0).isTrue();
    }
  }

  /** A normalization of the inputs themselves, so that its statistics can be computed by hand. */
  private static Architecture normalized(int channels, int area) {
    List<LayerShape> layers =
        List.of(new BatchNorm("norm", channels, area), new Dense("output", channels * area, 2));
    return new Architecture(layers, channels * area, 2);
  }

  @Test
  void runningStatisticsMoveByATenthAndTheVarianceIsUnbiased() {
    Architecture architecture = normalized(2, 1);
    SampleRows rows =
        LearningFixtures.all(
            LearningFixtures.samples(new float[][] {{1, 10}, {2, 10}, {6, 40}}, 0, 1, 0));
    float[] weights = architecture.initialWeights(TestNetworks.random(1)).copy();
    float[] gradient = new float[weights.length];
    Arrays.fill(gradient, 77);
    Engine engine = TestNetworks.engine(architecture);
    engine.lossAndGradient(weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    Layout.Block mean = architecture.layout().block("norm.running_mean");
    Layout.Block variance = architecture.layout().block("norm.running_var");
    // Means 3 and 20; sums of squares 14 and 600 over two degrees of freedom: 7 and 300.
    assertThat(weights[mean.offset()]).isCloseTo(0.3f, within(1e-6f));
    assertThat(weights[mean.offset() + 1]).isCloseTo(2, within(1e-5f));
    assertThat(weights[variance.offset()]).isCloseTo(0.9f + 0.7f, within(1e-6f));
    assertThat(weights[variance.offset() + 1]).isCloseTo(0.9f + 30, within(1e-4f));
    assertThat(gradient[mean.offset()]).isEqualTo(77);
    assertThat(gradient[variance.offset() + 1]).isEqualTo(77);
    engine.lossAndGradient(weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    assertThat(weights[mean.offset()]).isCloseTo(0.9f * 0.3f + 0.3f, within(1e-6f));
  }

  @Test
  void runningStatisticsOfChannelsCoverTheirArea() {
    Architecture architecture = normalized(1, 4);
    SampleRows rows =
        LearningFixtures.all(LearningFixtures.samples(new float[][] {{0, 2, 4, 6}}, 1));
    float[] weights = architecture.initialWeights(TestNetworks.random(1)).copy();
    TestNetworks.engine(architecture)
        .lossAndGradient(
            weights,
            LearningFixtures.batch(rows),
            new float[weights.length],
            TestNetworks.random(2));
    int mean = architecture.layout().block("norm.running_mean").offset();
    assertThat(weights[mean]).isCloseTo(0.3f, within(1e-6f));
    assertThat(weights[mean + 1]).isCloseTo(0.9f + 20f / 3 / 10, within(1e-6f));
  }

  @Test
  void aSingleValuePerChannelLeavesRunningStatisticsAlone() {
    Architecture architecture = normalized(2, 1);
    SampleRows rows = LearningFixtures.all(LearningFixtures.samples(new float[][] {{1, 10}}, 0));
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    float[] weights = start.copy();
    float[] gradient = new float[weights.length];
    TestNetworks.engine(architecture)
        .lossAndGradient(weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    assertThat(weights).containsExactly(start.copy());
    for (float each : gradient) {
      assertThat(each).isFinite();
    }
  }

  @Test
  void evaluationUsesRunningStatistics() {
    Architecture architecture = normalized(1, 1);
    // Scale 2, shift 1, mean 3, variance 4; then scores of plus and minus the value.
    float[] values = {2, 1, 3, 4, 1, -1, 0, 0};
    Weights weights = Weights.copyOf(architecture.layout(), values);
    SampleRows rows =
        LearningFixtures.all(LearningFixtures.samples(new float[][] {{5}, {3}}, 0, 0));
    float[] losses = TestNetworks.engine(architecture).losses(weights, rows);
    assertThat((double) losses[0]).isCloseTo(Math.log1p(Math.exp(-6)), within(1e-5));
    assertThat((double) losses[1]).isCloseTo(Math.log1p(Math.exp(-2)), within(1e-5));
  }

  @Test
  void dropoutKeepsTheMeanAndSparesEvaluation() {
    Architecture architecture =
        new Architecture(List.of(new Dropout(0.3), new Dense("output", 1, 2)), 1, 2);
    // The score of the first class is the input, so the loss of the second gives the mean of the
    // signal.
    Weights weights = Weights.copyOf(architecture.layout(), new float[] {1, 0, 30, 0});
    int count = 20_000;
    Samples samples = LearningFixtures.samples(new float[][] {{1}}, 1);
    SampleRows rows = SampleRows.of(samples, Ints.wrap(new int[count]));
    Engine engine = TestNetworks.engine(architecture);
    float[] gradient = new float[4];
    double sum =
        engine.lossAndGradient(
            weights.copy(), LearningFixtures.batch(rows), gradient, TestNetworks.random(1));
    assertThat(sum / count - 30).isCloseTo(1, within(0.02));
    assertThat(engine.losses(weights, SampleRows.of(samples, Ints.of(0)))).containsExactly(31);
  }

  @Test
  void dropoutFollowsTheNoiseItIsGiven() {
    Architecture architecture = TestNetworks.named("dropped");
    SampleRows rows =
        LearningFixtures.all(
            LearningFixtures.randomSamples(1, 4, architecture.inputs(), TestNetworks.CLASSES));
    float[] weights = architecture.initialWeights(TestNetworks.random(1)).copy();
    float[] gradient = new float[weights.length];
    Engine engine = TestNetworks.engine(architecture);
    double first =
        engine.lossAndGradient(
            weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    assertThat(
            engine.lossAndGradient(
                weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(2)))
        .isEqualTo(first);
    assertThat(
            engine.lossAndGradient(
                weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(3)))
        .isNotEqualTo(first);
  }

  @Test
  void aCubeRootOfZeroGivesAFiniteGradient() {
    Architecture architecture = TestNetworks.named("cube root");
    SampleRows rows =
        LearningFixtures.all(
            LearningFixtures.samples(new float[][] {new float[architecture.inputs()]}, 1));
    float[] weights = new float[architecture.layout().size()];
    float[] gradient = new float[weights.length];
    TestNetworks.engine(architecture)
        .lossAndGradient(weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(1));
    for (float each : gradient) {
      assertThat(each).isFinite();
    }
  }

  @Test
  void theWorkOfOneEngineLeavesNoTraceInTheNext() {
    Architecture architecture = TestNetworks.everything();
    Samples samples =
        LearningFixtures.randomSamples(1, 40, architecture.inputs(), TestNetworks.CLASSES);
    SampleRows small = SampleRows.of(samples, Ints.of(3, 9, 1, 17, 20));
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Engine used = TestNetworks.engine(architecture);
    used.lossAndGradient(
        start.copy(),
        LearningFixtures.batch(LearningFixtures.all(samples)),
        new float[start.size()],
        TestNetworks.random(5));
    used.outputs(
        architecture.initialWeights(TestNetworks.random(6)), LearningFixtures.all(samples));
    float[] first = new float[start.size()];
    float[] second = new float[start.size()];
    double loss =
        used.lossAndGradient(
            start.copy(), LearningFixtures.batch(small), first, TestNetworks.random(2));
    Engine fresh = TestNetworks.engine(architecture);
    assertThat(
            fresh.lossAndGradient(
                start.copy(), LearningFixtures.batch(small), second, TestNetworks.random(2)))
        .isEqualTo(loss);
    assertThat(first).containsExactly(second);
    assertThat(used.losses(start, small)).containsExactly(fresh.losses(start, small));
  }

  @Test
  void withoutRowsThereIsNothingToEvaluate() {
    Architecture architecture = network("4");
    SampleRows none = SampleRows.of(LearningFixtures.randomSamples(1, 1, 37, 5), Ints.of());
    Weights weights = architecture.initialWeights(TestNetworks.random(1));
    assertThat(TestNetworks.engine(architecture).losses(weights, none)).isEmpty();
    assertThat(TestNetworks.engine(architecture).outputs(weights, none)).isEmpty();
  }

  @Test
  void weightsOfAnotherModelAreRefused() {
    Weights other = network("").initialWeights(TestNetworks.random(1));
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(1, 1, 37, 5));
    assertThatThrownBy(() -> TestNetworks.engine(network("4")).losses(other, rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the model has 177 weights, got 190");
  }

  @Test
  void nativeMemoryStaysFlatOverManySteps() {
    Architecture architecture = TestNetworks.named("normalized channels");
    SampleRows rows =
        LearningFixtures.all(
            LearningFixtures.randomSamples(1, 256, architecture.inputs(), TestNetworks.CLASSES));
    float[] weights = architecture.initialWeights(TestNetworks.random(1)).copy();
    float[] gradient = new float[weights.length];
    Engine engine = TestNetworks.engine(architecture);
    for (int step = 0; step < 200; step++) {
      engine.lossAndGradient(
          weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(step));
    }
    long resident = Pointer.physicalBytes();
    long counted = Pointer.totalBytes();
    for (int step = 0; step < 2_000; step++) {
      engine.lossAndGradient(
          weights, LearningFixtures.batch(rows), gradient, TestNetworks.random(step));
    }
    // Without its scope a step would keep 200 kB, 400 MB in all. The heap may grow meanwhile.
    assertThat(Pointer.physicalBytes() - resident).isLessThan(100L << 20);
    assertThat(Pointer.totalBytes() - counted).isLessThan(1L << 20);
  }
}
