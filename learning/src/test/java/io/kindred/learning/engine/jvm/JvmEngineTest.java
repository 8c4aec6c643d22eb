package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.compute.Ticket.Duration.Epochs;
import io.kindred.core.compute.Ticket.Duration.Steps;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JvmEngineTest {
  private static final Optimizer PLAIN = new Optimizer(0.1, 0, 0);

  /** One input, two classes: weights of class 0 and 1, then their biases. */
  private static final Architecture TINY = LearningFixtures.network(1, 2);

  private static final SampleRows ONE_SAMPLE =
      LearningFixtures.all(LearningFixtures.samples(new float[][] {{2}}, 1));

  private static Weights tinyStart() {
    return Weights.copyOf(TINY.layout(), new float[] {0.1f, -0.2f, 0.3f, 0});
  }

  private static Learner engine(Architecture architecture) {
    Engine engine = new JvmEngine(architecture);
    return new Learner(engine, new LocalTraining(engine));
  }

  /** An engine with its training loop; both keep their scratch memory between calls. */
  private record Learner(Engine engine, LocalTraining training) {
    Result.Trained train(Ticket.Train ticket, SampleRows rows, RandomStream random) {
      return training.train(ticket, rows, random);
    }

    float[] losses(Weights weights, SampleRows rows) {
      return engine.losses(weights, rows);
    }

    float[] outputs(Weights weights, SampleRows rows) {
      return engine.outputs(weights, rows);
    }
  }

  private static void checkClose(Weights actual, double... expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) actual.get(i)).isCloseTo(expected[i], within(2e-7));
    }
  }

  private static Weights descend(Optimizer optimizer, int steps) {
    Ticket.Train ticket = LearningFixtures.ticket(tinyStart(), optimizer, 0, new Steps(steps));
    return engine(TINY).train(ticket, ONE_SAMPLE, LearningFixtures.random(0)).weights();
  }

  /** Expected values of this and the next tests: the update rules in Python, in doubles. */
  @Test
  void plainStepsFollowTheRule() {
    checkClose(descend(PLAIN, 1), -0.042189901, -0.057810099, 0.22890505, 0.07109495);
    checkClose(descend(PLAIN, 2), -0.151614373, 0.051614373, 0.174192814, 0.125807186);
    checkClose(descend(PLAIN, 3), -0.233899651, 0.133899651, 0.133050174, 0.166949826);
  }

  @Test
  void stepsWithMomentumAndWeightDecayFollowTheRule() {
    Optimizer optimizer = new Optimizer(0.1, 0.9, 0.01);
    checkClose(descend(optimizer, 1), -0.042289901, -0.057610099, 0.22860505, 0.07109495);
    checkClose(descend(optimizer, 2), -0.279688391, 0.179978291, 0.109431054, 0.189699246);
    checkClose(descend(optimizer, 3), -0.546871298, 0.447431818, -0.024836949, 0.323155389);
  }

  @Test
  void theProximalTermPullsTowardsItsAnchor() {
    Weights ones = Weights.copyOf(TINY.layout(), new float[] {1, 1, 1, 1});
    Objective.Term term = new Objective.Term.Proximal(ones, 0.5);
    Ticket.Train plain = LearningFixtures.ticket(tinyStart(), PLAIN, 0, new Steps(3));
    checkClose(
        engine(TINY)
            .train(LearningFixtures.withTerm(plain, term), ONE_SAMPLE, LearningFixtures.random(0))
            .weights(),
        -0.082100075,
        0.281612575,
        0.244606213,
        0.297856287);
    Ticket.Train heavy =
        LearningFixtures.ticket(tinyStart(), new Optimizer(0.1, 0.9, 0.01), 0, new Steps(3));
    checkClose(
        engine(TINY)
            .train(LearningFixtures.withTerm(heavy, term), ONE_SAMPLE, LearningFixtures.random(0))
            .weights(),
        -0.265907308,
        0.730063193,
        0.182801908,
        0.571850837);
  }

  @Test
  void trainingIsBitEqualOnTwoEnginesAndAfterLargerWork() {
    Architecture architecture = LearningFixtures.network(13, 5, 11, 6);
    Weights start = architecture.initialWeights(LearningFixtures.random(1));
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(2, 37, 13, 5));
    Ticket.Train ticket =
        LearningFixtures.ticket(start, new Optimizer(0.05, 0.9, 1e-3), 8, new Epochs(3));
    Learner first = engine(architecture);
    Result.Trained fresh = first.train(ticket, rows, LearningFixtures.random(3));
    assertThat(first.train(ticket, rows, LearningFixtures.random(3))).isEqualTo(fresh);

    Learner second = engine(architecture);
    SampleRows many = LearningFixtures.all(LearningFixtures.randomSamples(4, 500, 13, 5));
    second.train(
        LearningFixtures.ticket(start, PLAIN, 0, new Epochs(1)), many, LearningFixtures.random(5));
    second.outputs(start, many);
    assertThat(second.train(ticket, rows, LearningFixtures.random(3))).isEqualTo(fresh);
    assertThat(second.losses(start, rows)).containsExactly(first.losses(start, rows));
  }

  @Test
  void trainingLeavesTheStartingWeightsAlone() {
    Weights start = tinyStart();
    engine(TINY)
        .train(
            LearningFixtures.ticket(start, PLAIN, 0, new Steps(5)),
            ONE_SAMPLE,
            LearningFixtures.random(0));
    assertThat(start.copy()).containsExactly(0.1f, -0.2f, 0.3f, 0);
  }

  @Test
  void aBatchOfZeroTakesAllSamplesAtOnce() {
    Architecture architecture = LearningFixtures.network(4, 3, 5);
    Weights start = architecture.initialWeights(LearningFixtures.random(1));
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(2, 10, 4, 3));
    Learner engine = engine(architecture);
    Result.Trained zero =
        engine.train(
            LearningFixtures.ticket(start, PLAIN, 0, new Epochs(4)),
            rows,
            LearningFixtures.random(3));
    for (int batch : new int[] {10, 11, 1_000_000}) {
      Ticket.Train ticket = LearningFixtures.ticket(start, PLAIN, batch, new Epochs(4));
      assertThat(engine.train(ticket, rows, LearningFixtures.random(3))).isEqualTo(zero);
    }
    assertThat(zero.samples()).isEqualTo(40);
  }

  @Test
  void theLastBatchOfAnEpochIsTheMeanOverWhatIsLeft() {
    Architecture architecture = LearningFixtures.network(3, 2);
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(6, 5, 3, 2));
    Weights start = architecture.initialWeights(LearningFixtures.random(7));
    Result.Trained trained =
        engine(architecture)
            .train(
                LearningFixtures.ticket(start, PLAIN, 2, new Epochs(2)),
                rows,
                LearningFixtures.random(8));
    assertThat(trained.samples()).isEqualTo(10);

    DoubleNetwork plain = new DoubleNetwork(architecture);
    double[] weights = DoubleNetwork.widen(start.shared());
    RandomStream shuffle = LearningFixtures.random(8);
    for (int epoch = 0; epoch < 2; epoch++) {
      int[] order = shuffle.permutation(5);
      for (int from = 0; from < 5; from += 2) {
        int[] batch = Arrays.copyOfRange(order, from, Math.min(5, from + 2));
        double[] gradient = plain.slope(weights, new Batch(rows, batch, 0, batch.length));
        for (int i = 0; i < weights.length; i++) {
          weights[i] -= 0.1 * gradient[i];
        }
      }
    }
    checkClose(trained.weights(), weights);
  }

  @Test
  void stepsGoOnIntoTheNextEpoch() {
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(9, 5, 1, 2));
    Learner engine = engine(TINY);
    Result.Trained steps =
        engine.train(
            LearningFixtures.ticket(tinyStart(), PLAIN, 2, new Steps(4)),
            rows,
            LearningFixtures.random(1));
    assertThat(steps.samples()).isEqualTo(5 + 2);
    Result.Trained sixSteps =
        engine.train(
            LearningFixtures.ticket(tinyStart(), PLAIN, 2, new Steps(6)),
            rows,
            LearningFixtures.random(1));
    Result.Trained twoEpochs =
        engine.train(
            LearningFixtures.ticket(tinyStart(), PLAIN, 2, new Epochs(2)),
            rows,
            LearningFixtures.random(1));
    assertThat(sixSteps).isEqualTo(twoEpochs);
  }

  @Test
  void withoutRowsNothingIsTrained() {
    SampleRows none = SampleRows.of(ONE_SAMPLE.samples(), Ints.of());
    Learner engine = engine(TINY);
    assertThat(
            engine.train(
                LearningFixtures.ticket(tinyStart(), PLAIN, 0, new Epochs(3)),
                none,
                LearningFixtures.random(0)))
        .isEqualTo(new Result.Trained(tinyStart(), 0, 0));
    assertThat(engine.losses(tinyStart(), none)).isEmpty();
    assertThat(engine.outputs(tinyStart(), none)).isEmpty();
  }

  @Test
  void rowsWithoutWeightChangeNothing() {
    SampleRows weightless =
        new SampleRows(ONE_SAMPLE.samples(), Ints.of(0), Optional.of(Floats.of(0f)));
    Result.Trained trained =
        engine(TINY)
            .train(
                LearningFixtures.ticket(tinyStart(), PLAIN, 0, new Epochs(3)),
                weightless,
                LearningFixtures.random(0));
    assertThat(trained).isEqualTo(new Result.Trained(tinyStart(), 0, 3));
  }

  /**
   * By hand, as in the code of FedEM: with zero weights both classes have probability one half. The
   * weighted slopes at the score of class 0 are 0.5 * 0.5 and 0.1 * -0.5; their sums, times the
   * inputs 2 and -1 for the weight, are divided by the two samples, not by the weights' sum 0.6.
   */
  @Test
  void aWeightedBatchIsDividedByItsNumberOfSamples() {
    SampleRows weighted =
        new SampleRows(
            LearningFixtures.samples(new float[][] {{2}, {-1}}, 1, 0),
            Ints.of(0, 1),
            Optional.of(Floats.of(0.5f, 0.1f)));
    Weights zero = Weights.copyOf(TINY.layout(), new float[4]);
    Result.Trained trained =
        engine(TINY)
            .train(
                LearningFixtures.ticket(zero, new Optimizer(1, 0, 0), 0, new Steps(1)),
                weighted,
                LearningFixtures.random(0));
    checkClose(trained.weights(), -0.275, 0.275, -0.1, 0.1);
    assertThat(trained.loss()).isCloseTo(0.3 * Math.log(2), within(1e-7));
  }

  @Test
  void theReportedLossIsTheMeanOfTheLastPassBeforeItsSteps() {
    Architecture architecture = LearningFixtures.network(4, 3, 6);
    Weights start = architecture.initialWeights(LearningFixtures.random(1));
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(2, 100, 4, 3));
    DoubleNetwork plain = new DoubleNetwork(architecture);
    Learner engine = engine(architecture);
    Result.Trained once =
        engine.train(
            LearningFixtures.ticket(start, PLAIN, 0, new Epochs(1)),
            rows,
            LearningFixtures.random(3));
    assertThat(once.loss())
        .isCloseTo(
            plain.loss(DoubleNetwork.widen(start.shared()), LearningFixtures.batch(rows)),
            within(1e-6));
    Result.Trained twice =
        engine.train(
            LearningFixtures.ticket(start, PLAIN, 0, new Epochs(2)),
            rows,
            LearningFixtures.random(3));
    assertThat(twice.loss())
        .isCloseTo(
            plain.loss(DoubleNetwork.widen(once.weights().shared()), LearningFixtures.batch(rows)),
            within(1e-6));
  }

  @Test
  void lossesAndOutputsAgreeWithDoublePrecision() {
    Architecture architecture = LearningFixtures.network(5, 4, 7);
    Weights weights = architecture.initialWeights(LearningFixtures.random(1));
    Samples samples = LearningFixtures.randomSamples(2, 131, 5, 4);
    SampleRows rows = LearningFixtures.all(samples);
    DoubleNetwork plain = new DoubleNetwork(architecture);
    float[] losses = engine(architecture).losses(weights, rows);
    float[] outputs = engine(architecture).outputs(weights, rows);
    double[] wide = DoubleNetwork.widen(weights.shared());
    for (int row = 0; row < rows.count(); row++) {
      float[] input = new float[5];
      rows.copyFeatures(row, input, 0);
      for (int c = 0; c < 4; c++) {
        Samples one = LearningFixtures.samples(new float[][] {input}, c);
        double loss = plain.loss(wide, LearningFixtures.batch(LearningFixtures.all(one)));
        assertThat((double) outputs[4 * row + c]).isCloseTo(Math.exp(-loss), within(1e-6));
        if (c == rows.label(row)) {
          assertThat((double) losses[row]).isCloseTo(loss, within(2e-6));
        }
      }
    }
  }

  @Test
  void hugeScoresGiveFiniteLosses() {
    Weights huge = Weights.copyOf(TINY.layout(), new float[] {1e6f, -1e6f, 0, 0});
    assertThat(engine(TINY).losses(huge, ONE_SAMPLE)).containsExactly(4e6f);
    assertThat(engine(TINY).outputs(huge, ONE_SAMPLE)).containsExactly(1, 0);
  }

  @Test
  void lossFallsOnASeparableProblem() {
    float[][] inputs = new float[60][2];
    int[] labels = new int[60];
    RandomStream random = LearningFixtures.random(12);
    for (int i = 0; i < 60; i++) {
      labels[i] = i % 3;
      inputs[i][0] = (float) (3 * Math.cos(2 * labels[i]) + 0.3 * random.nextGaussian());
      inputs[i][1] = (float) (3 * Math.sin(2 * labels[i]) + 0.3 * random.nextGaussian());
    }
    SampleRows rows = LearningFixtures.all(LearningFixtures.samples(inputs, labels));
    Architecture architecture = LearningFixtures.network(2, 3, 8);
    Learner engine = engine(architecture);
    Weights weights = architecture.initialWeights(LearningFixtures.random(13));
    double before = Double.POSITIVE_INFINITY;
    for (int pass = 0; pass < 5; pass++) {
      Result.Trained trained =
          engine.train(
              LearningFixtures.ticket(weights, PLAIN, 10, new Epochs(4)),
              rows,
              LearningFixtures.random(pass));
      assertThat(trained.loss()).isLessThan(before);
      before = trained.loss();
      weights = trained.weights();
    }
    assertThat(before).isLessThan(0.05);
  }

  @Test
  void softmaxRegressionReachesTheOptimumOfAConvexProblem() {
    // Input 0 has class 0 in 3 of 4 samples, input 1 in 1 of 4. The model is saturated, so the
    // optimum predicts these shares and its loss is the entropy of one quarter.
    Samples samples =
        LearningFixtures.samples(
            new float[][] {{0}, {0}, {0}, {0}, {1}, {1}, {1}, {1}}, 0, 0, 0, 1, 1, 1, 1, 0);
    Ticket.Train ticket =
        LearningFixtures.ticket(tinyStart(), new Optimizer(1, 0.5, 0), 0, new Epochs(600));
    Result.Trained trained =
        engine(TINY).train(ticket, LearningFixtures.all(samples), LearningFixtures.random(0));
    assertThat(trained.loss()).isCloseTo(0.5623351446188083, within(1e-6));
    float[] outputs =
        engine(TINY).outputs(trained.weights(), SampleRows.of(samples, Ints.of(0, 7)));
    assertThat(outputs[0]).isCloseTo(0.75f, within(1e-4f));
    assertThat(outputs[2]).isCloseTo(0.25f, within(1e-4f));
  }

  @Test
  void weightsOfAnotherModelAreRefused() {
    Weights other = LearningFixtures.network(2, 2).initialWeights(LearningFixtures.random(0));
    assertThatThrownBy(
            () ->
                engine(TINY)
                    .train(
                        LearningFixtures.ticket(other, PLAIN, 0, new Epochs(1)),
                        ONE_SAMPLE,
                        LearningFixtures.random(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the model has 4 weights, got 6");
  }

  @Test
  void sampleWeightsMustBeAsManyAsSamples() {
    assertThatThrownBy(
            () -> new SampleRows(ONE_SAMPLE.samples(), Ints.of(0), Optional.of(Floats.of(1f, 2f))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 samples but 2 sample weights");
  }
}
