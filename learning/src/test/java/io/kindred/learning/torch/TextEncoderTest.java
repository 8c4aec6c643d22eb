package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Albert;
import io.kindred.learning.model.Architecture;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The text encoder of each engine against a plain one in double precision, and the absence of any
 * effect of padding.
 */
class TextEncoderTest {
  private static final int TOKENS = 6;
  private static final Albert TINY = new Albert(11, 8, 3, 4, 5, 2, 2, 0);

  static List<EngineChoice> engines() {
    return Natives.arePresent()
        ? List.of(new Jvm(), new Torch(TorchDevice.CPU))
        : List.of(new Jvm());
  }

  /** Texts of three to six tokens, the rest padding. */
  private static Samples texts(int count, int tokens) {
    byte[] numbers = new byte[count * tokens];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      for (int t = 0; t < Math.min(tokens, 3 + i % 4); t++) {
        numbers[i * tokens + t] = (byte) (1 + TestNetworks.random(i * 100L + t).nextInt(10));
      }
      labels[i] = i % 3;
    }
    return new Samples(new ByteFeatures(numbers, tokens, 1, 0), Ints.wrap(labels));
  }

  private static Architecture sized(Albert model, Samples texts) {
    return model.sizedFor(new Dataset("texts", List.of(texts.features().width()), 3, texts, texts));
  }

  /** Larger than the usual initial weights, which would leave attention nearly even. */
  private static Weights start(Architecture architecture) {
    float[] values = architecture.initialWeights(TestNetworks.random(1)).copy();
    for (int i = 0; i < values.length; i++) {
      values[i] += (float) (0.4 * TestNetworks.random(5000 + i).nextGaussian());
    }
    return Weights.wrap(architecture.layout(), values);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void lossAndGradientAgreeWithFiniteDifferences(EngineChoice choice) {
    Samples texts = texts(5, TOKENS);
    Architecture architecture = sized(TINY, texts);
    Batch batch = LearningFixtures.batch(LearningFixtures.all(texts));
    Weights start = start(architecture);
    float[] gradient = new float[start.size()];
    double lossSum =
        choice
            .create(architecture)
            .lossAndGradient(start.copy(), batch, gradient, TestNetworks.random(2));
    DoubleNetwork plain = new DoubleNetwork(architecture);
    double[] wide = DoubleNetwork.widen(start.shared());
    double loss = plain.loss(wide, batch);
    assertThat(lossSum / 5).isCloseTo(loss, within(1e-5 * loss));
    assertThat(DoubleNetwork.relativeError(gradient, plain.slope(wide, batch))).isLessThan(1e-4);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aRowsOutputsDoNotDependOnOtherRowsNorOnEarlierBatches(EngineChoice choice) {
    Architecture architecture = sized(TINY, texts(1, TOKENS));
    Weights start = start(architecture);
    Engine engine = choice.create(architecture);
    SampleRows many = LearningFixtures.all(texts(37, TOKENS));
    float[] together = engine.outputs(start, many);
    float[] gradient = new float[start.size()];
    double lossSum =
        engine.lossAndGradient(
            start.copy(), LearningFixtures.batch(many), gradient, TestNetworks.random(2));
    double inferred = 0;
    for (float loss : engine.losses(start, many)) {
      inferred += loss;
    }
    assertThat(inferred).isCloseTo(lossSum, within(1e-4));
    float[] alone = engine.outputs(start, LearningFixtures.all(texts(2, TOKENS)));
    for (int i = 0; i < alone.length; i++) {
      assertThat(alone[i]).isCloseTo(together[i], within(1e-6f));
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void paddingChangesNothing(EngineChoice choice) {
    Samples longer = texts(8, TOKENS + 2);
    Samples texts = texts(8, TOKENS);
    Architecture architecture = sized(TINY, texts);
    Weights start = start(architecture);
    float[] outputs = choice.create(architecture).outputs(start, LearningFixtures.all(texts));
    float[] padded =
        choice.create(sized(TINY, longer)).outputs(start, LearningFixtures.all(longer));
    for (int i = 0; i < outputs.length; i++) {
      assertThat(padded[i]).isCloseTo(outputs[i], within(1e-6f));
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void paddingHasNoGradient(EngineChoice choice) {
    Samples texts = texts(4, TOKENS);
    Architecture architecture = sized(TINY, texts);
    Weights start = start(architecture);
    float[] gradient = new float[start.size()];
    SampleRows rows = LearningFixtures.all(texts);
    choice
        .create(architecture)
        .lossAndGradient(
            start.copy(), LearningFixtures.batch(rows), gradient, TestNetworks.random(2));
    Layout.Block words = start.layout().block("albert.embeddings.word_embeddings.weight");
    for (int i = words.offset(); i < words.offset() + 3; i++) {
      assertThat(gradient[i]).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aTinyEncoderLearnsWhatTheFirstTokenSays(EngineChoice choice) {
    Samples texts = texts(40, TOKENS);
    int[] labels = new int[40];
    float[] row = new float[TOKENS];
    for (int i = 0; i < 40; i++) {
      texts.features().copy(i, row, 0);
      labels[i] = (int) row[1] % 3;
    }
    Samples task = new Samples(texts.features(), Ints.wrap(labels));
    Architecture architecture = sized(new Albert(11, 8, 8, 16, 32, 2, 2, 0), task);
    Engine engine = choice.create(architecture);
    float[] weights = start(architecture).copy();
    float[] gradient = new float[weights.length];
    Batch batch = LearningFixtures.batch(LearningFixtures.all(task));
    double first = engine.lossAndGradient(weights, batch, gradient, TestNetworks.random(2));
    double last = first;
    for (int step = 0; step < 150; step++) {
      last = engine.lossAndGradient(weights, batch, gradient, TestNetworks.random(2));
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= 0.1f * gradient[i];
      }
    }
    assertThat(last).isLessThan(first / 4);
  }
}
