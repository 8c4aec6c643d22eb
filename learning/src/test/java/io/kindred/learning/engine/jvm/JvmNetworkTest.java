package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.testing.ChildJvm;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmNetworkTest {
  private static SampleRows rows(int count) {
    return LearningFixtures.all(
        LearningFixtures.randomSamples(
            2, count, SmallNetworks.INPUT.size(), SmallNetworks.CLASSES));
  }

  private static double slope(Engine engine, float[] weights, SampleRows rows, float[] gradient) {
    return engine.lossAndGradient(
        weights, LearningFixtures.batch(rows), gradient, LearningFixtures.random(9));
  }

  static Stream<Architecture> differentiable() {
    return Stream.of(
        SmallNetworks.pooled(),
        SmallNetworks.strided(),
        SmallNetworks.normalized(),
        SmallNetworks.rooted(),
        SmallNetworks.residual(),
        SmallNetworks.forked());
  }

  @ParameterizedTest
  @MethodSource("differentiable")
  void theGradientAgreesWithFiniteDifferences(Architecture architecture) {
    SampleRows sampleRows = rows(18);
    float[] weights = architecture.initialWeights(LearningFixtures.random(5)).copy();
    double[] expected =
        new DoubleNetwork(architecture)
            .slope(DoubleNetwork.widen(weights), LearningFixtures.batch(sampleRows));
    float[] gradient = new float[weights.length];
    slope(new JvmEngine(architecture), weights, sampleRows, gradient);
    assertThat(DoubleNetwork.relativeError(gradient, expected)).isLessThan(1e-5);
  }

  @Test
  void withoutNoiseInferenceEqualsTraining() {
    Architecture architecture = SmallNetworks.pooled();
    Weights weights = architecture.initialWeights(LearningFixtures.random(1));
    SampleRows sampleRows = rows(21);
    Engine engine = new JvmEngine(architecture);
    double sum = slope(engine, weights.copy(), sampleRows, new float[weights.size()]);
    double inferred = 0;
    for (float loss : engine.losses(weights, sampleRows)) {
      inferred += loss;
    }
    assertThat((float) inferred).isCloseTo((float) sum, within(1e-5f));
    // A row's outputs do not depend on the rows beside it.
    float[] together = engine.outputs(weights, sampleRows);
    float[] alone = engine.outputs(weights, rows(1));
    assertThat(Arrays.copyOf(together, SmallNetworks.CLASSES)).containsExactly(alone);
  }

  private static Result.Trained train(Engine engine, int batch) {
    Weights start = SmallNetworks.everything().initialWeights(LearningFixtures.random(1));
    Ticket.Train ticket =
        LearningFixtures.ticket(
            start, new Optimizer(0.05, 0.9, 1e-3), batch, new Ticket.Duration.Epochs(2));
    return new LocalTraining(engine).train(ticket, rows(41), LearningFixtures.random(3));
  }

  @Test
  void trainingIsBitEqualColdAndWarmAndAfterOtherBatchSizes() {
    Result.Trained cold = train(new JvmEngine(SmallNetworks.everything()), 8);
    Engine engine = new JvmEngine(SmallNetworks.everything());
    for (int batch : new int[] {41, 3, 17, 8, 40}) {
      train(engine, batch);
    }
    for (int i = 0; i < 150; i++) {
      assertThat(train(engine, 8)).isEqualTo(cold);
    }
  }

  /** Prints a digest of weights after training; the next test runs it in other virtual machines. */
  static final class Digest {
    private Digest() {}

    static String of() {
      StringBuilder digests = new StringBuilder();
      for (int batch : new int[] {8, 20}) {
        Weights trained = train(new JvmEngine(SmallNetworks.everything()), batch).weights();
        digests.append(Integer.toHexString(Arrays.hashCode(trained.copy()))).append(' ');
      }
      return digests.toString();
    }

    public static void main(String[] arguments) {
      System.out.println("digest " + of());
    }
  }

  /** Interpreted, and with narrower registers, the bits are the same. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:MaxVectorSize=16", "-XX:MaxVectorSize=32"})
  void otherMachinesTrainTheSameBits(String option) throws IOException, InterruptedException {
    assertThat(ChildJvm.output(ChildJvm.of(Digest.class, option)))
        .contains("digest " + Digest.of());
  }
}
