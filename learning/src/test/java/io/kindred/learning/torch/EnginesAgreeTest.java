package io.kindred.learning.torch;

import static io.kindred.learning.engine.DoubleNetwork.relativeError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.compute.TrainBuilder;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.PictureAugmentation;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.CifarCnn;
import io.kindred.learning.model.EmnistCnn;
import io.kindred.learning.model.FmnistCnn;
import io.kindred.learning.model.LeNet;
import io.kindred.learning.model.MnistCnn;
import io.kindred.learning.model.Model;
import io.kindred.learning.model.SmallCnn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engines check each other: the same weights and batch give the same loss, gradient and
 * statistics.
 */
@NeedsNatives
class EnginesAgreeTest {
  private static final double RELATIVE_ERROR = 1e-4;

  record Shaped(Model model, List<Integer> shape) {
    Architecture architecture() {
      int width = shape.stream().reduce(1, (a, b) -> a * b);
      Samples one = LearningFixtures.randomSamples(1, 1, width, 10);
      return model.sizedFor(new Dataset("made", shape, 10, one, one));
    }
  }

  static List<Shaped> models() {
    List<Integer> grey = List.of(1, 28, 28);
    List<Integer> colour = List.of(3, 32, 32);
    return List.of(
        new Shaped(new FmnistCnn(false), grey),
        new Shaped(new FmnistCnn(true), grey),
        new Shaped(new MnistCnn(List.of(10, 20), 0.5), grey),
        new Shaped(new CifarCnn(List.of(8, 8, 16, 16), 0.25), colour),
        new Shaped(new LeNet(), colour),
        new Shaped(new SmallCnn(List.of(16, 32)), grey),
        new Shaped(new EmnistCnn(List.of(32, 64)), grey));
  }

  @ParameterizedTest
  @MethodSource("models")
  void onTheModelsForPictures(Shaped shaped) {
    compare(shaped.architecture());
  }

  static Set<String> networks() {
    return TestNetworks.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void onEveryLayerThatBothHave(String network) {
    compare(TestNetworks.named(network));
  }

  /**
   * By hand, as in the code of FedEM: with zero weights both classes have probability one half, and
   * the weighted slopes are divided by the two samples, not by the weights' sum 0.6.
   */
  @Test
  void onTheMeanOfAWeightedBatch() {
    Architecture tiny = LearningFixtures.network(1, 2);
    SampleRows rows =
        new SampleRows(
            LearningFixtures.samples(new float[][] {{2}, {-1}}, 1, 0),
            Ints.of(0, 1),
            Optional.of(Floats.of(0.5f, 0.1f)));
    for (Engine engine : List.of(new Jvm().create(tiny), TestNetworks.engine(tiny))) {
      float[] gradient = new float[4];
      double loss =
          engine.lossAndGradient(
              new float[4], LearningFixtures.batch(rows), gradient, TestNetworks.random(3));
      assertThat(loss).as("sum of the weighted losses").isCloseTo(0.6 * Math.log(2), within(1e-7));
      assertThat(gradient)
          .containsExactly(new float[] {0.275f, -0.275f, 0.1f, -0.1f}, within(1e-6f));
    }
  }

  @Test
  void onWeightedSamples() {
    Architecture architecture = new Shaped(new FmnistCnn(false), List.of(1, 28, 28)).architecture();
    Samples samples =
        LearningFixtures.randomSamples(1, 24, architecture.inputs(), architecture.outputs());
    float[] weights = new float[24];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i % 5 * 0.1f;
    }
    compare(
        architecture,
        new SampleRows(
            samples, LearningFixtures.all(samples).indices(), Optional.of(Floats.wrap(weights))));
  }

  /** Both engines draw the same changes of pictures and so train on the same inputs. */
  @Test
  void onTrainingWithAugmentedPictures() {
    Architecture architecture =
        new Shaped(new SmallCnn(List.of(4, 8)), List.of(1, 28, 28)).architecture();
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    SampleRows rows =
        LearningFixtures.all(LearningFixtures.randomSamples(1, 24, architecture.inputs(), 10));
    Ticket.Train ticket =
        LearningFixtures.ticket(start, new Optimizer(0.1, 0, 0), 8, new Ticket.Duration.Epochs(1));
    Optional<PictureAugmentation> augmentation =
        Optional.of(PictureAugmentation.of(List.of(1, 28, 28)));
    List<float[]> trained = new ArrayList<>();
    for (Engine engine :
        List.of(new Jvm().create(architecture), TestNetworks.engine(architecture))) {
      trained.add(
          new LocalTraining(engine, augmentation)
              .train(ticket, rows, TestNetworks.random(3))
              .weights()
              .copy());
    }
    assertThat(relativeError(trained.get(1), trained.get(0))).isLessThan(RELATIVE_ERROR);
    float[] plain =
        new LocalTraining(new Jvm().create(architecture))
            .train(ticket, rows, TestNetworks.random(3))
            .weights()
            .copy();
    assertThat(relativeError(plain, trained.get(0))).isGreaterThan(10 * RELATIVE_ERROR);
  }

  /** The optimizer is common to both engines; only the gradients come from the engine. */
  @Test
  void onVelocitiesThatGoFromTicketToTicket() {
    Architecture architecture = LearningFixtures.network(6, 3, 5);
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    SampleRows rows = LearningFixtures.all(LearningFixtures.randomSamples(1, 22, 6, 3));
    Ticket.Train half =
        LearningFixtures.ticket(
            start, new Optimizer(0.1, 0.9, 0.01), 4, new Ticket.Duration.Epochs(1));
    List<Result.Trained> trained = new ArrayList<>();
    for (Engine engine :
        List.of(new Jvm().create(architecture), TestNetworks.engine(architecture))) {
      LocalTraining training = new LocalTraining(engine);
      RandomStream random = TestNetworks.random(3);
      Result.Trained first = training.train(half.fromVelocity(Optional.empty()), rows, random);
      Ticket.Train next = TrainBuilder.from(half).from(first.weights()).build();
      trained.add(training.train(next.fromVelocity(first.velocity()), rows, random));
      Ticket.Train whole = TrainBuilder.from(half).duration(new Ticket.Duration.Epochs(2)).build();
      Weights uninterrupted = training.train(whole, rows, TestNetworks.random(3)).weights();
      assertThat(relativeError(trained.getLast().weights().copy(), uninterrupted.copy()))
          .isLessThan(RELATIVE_ERROR);
    }
    assertThat(
            relativeError(
                trained.get(1).velocity().orElseThrow().copy(),
                trained.get(0).velocity().orElseThrow().copy()))
        .isLessThan(RELATIVE_ERROR);
  }

  private static void compare(Architecture architecture) {
    Samples samples =
        LearningFixtures.randomSamples(1, 24, architecture.inputs(), architecture.outputs());
    compare(architecture, LearningFixtures.all(samples));
  }

  private static void compare(Architecture architecture, SampleRows rows) {
    Batch batch = new Batch(rows, TestNetworks.random(2).permutation(24), 3, 22);
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Engine jvm = new Jvm().create(architecture);
    Engine torch = TestNetworks.engine(architecture);
    float[] jvmWeights = start.copy();
    float[] torchWeights = start.copy();
    float[] expected = new float[start.size()];
    float[] actual = new float[start.size()];
    double loss = jvm.lossAndGradient(jvmWeights, batch, expected, TestNetworks.random(3));
    assertThat(torch.lossAndGradient(torchWeights, batch, actual, TestNetworks.random(3)))
        .isCloseTo(loss, within(RELATIVE_ERROR * loss));
    assertThat(relativeError(actual, expected)).isLessThan(RELATIVE_ERROR);
    // Running statistics are part of the weights and change with every batch.
    assertThat(relativeError(torchWeights, jvmWeights)).isLessThan(RELATIVE_ERROR);
    assertThat(relativeError(torch.losses(start, rows), jvm.losses(start, rows)))
        .isLessThan(RELATIVE_ERROR);
    assertThat(relativeError(torch.outputs(start, rows), jvm.outputs(start, rows)))
        .isLessThan(RELATIVE_ERROR);
  }
}
