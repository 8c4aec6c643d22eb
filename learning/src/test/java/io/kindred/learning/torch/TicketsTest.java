package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Split;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.DivergedException;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.PeerDatasets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tickets give the same results with every engine. */
@NeedsNatives
class TicketsTest {
  private static final PeerId PEER = new PeerId(0);

  static Stream<Arguments> enginesAndNets() {
    List<String> nets =
        List.of("dense", "rectified", "maximum with padding", "normalized", "cube root of inputs");
    return Stream.of(new Jvm(), new Torch(TorchDevice.CPU))
        .flatMap(engine -> nets.stream().map(net -> Arguments.of(engine, net)));
  }

  private static EngineTrainer trainer(Engine engine, Samples samples) {
    Dataset dataset = new Dataset("made", List.of(40), TestNetworks.CLASSES, samples, samples);
    Ints all = Ints.wrap(IntStream.range(0, samples.count()).toArray());
    return new EngineTrainer(
        engine,
        new PeerDatasets(dataset, List.of(new PeerSplit(all, Ints.of(), Ints.of()))),
        new RandomStreams(1));
  }

  private static void checkDiverges(EngineTrainer trainer, Ticket.Train ticket) {
    assertThatThrownBy(() -> trainer.perform(PEER, ticket))
        .isInstanceOf(DivergedException.class)
        .hasMessage(
            "training of peer 0 diverged (weights are no longer finite); lower the learning rate");
  }

  @ParameterizedTest
  @MethodSource("enginesAndNets")
  void stepsThatAreTooLargeDiverge(EngineChoice choice, String net) {
    Architecture architecture = TestNetworks.named(net);
    Samples samples =
        LearningFixtures.randomSamples(1, 20, architecture.inputs(), TestNetworks.CLASSES);
    EngineTrainer trainer = trainer(choice.create(architecture), samples);
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Optimizer hasty = new Optimizer(3e38, 0, 0);
    checkDiverges(trainer, LearningFixtures.ticket(start, hasty, 4, new Ticket.Duration.Epochs(3)));
  }

  /** A single NaN reaches the weights, whatever layers lie between. */
  @ParameterizedTest
  @MethodSource("enginesAndNets")
  void aDamagedSampleDiverges(EngineChoice choice, String net) {
    Architecture architecture = TestNetworks.named(net);
    float[][] inputs = new float[3][architecture.inputs()];
    inputs[1][7] = Float.NaN;
    EngineTrainer trainer =
        trainer(choice.create(architecture), LearningFixtures.samples(inputs, 0, 1, 2));
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Optimizer careful = new Optimizer(0.1, 0, 0);
    checkDiverges(
        trainer, LearningFixtures.ticket(start, careful, 1, new Ticket.Duration.Epochs(1)));
  }

  /** More rows than any engine evaluates at once, so that models alternate. */
  @ParameterizedTest
  @MethodSource("enginesAndNets")
  void lossesOfManyModelsHaveTheBitsOfEachAlone(EngineChoice choice, String net) {
    Architecture architecture = TestNetworks.named(net);
    Samples samples =
        LearningFixtures.randomSamples(1, 600, architecture.inputs(), TestNetworks.CLASSES);
    checkLosses(choice, architecture, samples);
  }

  static List<EngineChoice> engines() {
    return List.of(new Jvm(), new Torch(TorchDevice.CPU));
  }

  /** Rows so wide that they are not all decoded at once. */
  @ParameterizedTest
  @MethodSource("engines")
  void lossesOverWideRowsHaveTheBitsOfEachAlone(EngineChoice choice) {
    Architecture architecture = LearningFixtures.network(9000, TestNetworks.CLASSES);
    checkLosses(
        choice, architecture, LearningFixtures.randomSamples(1, 300, 9000, TestNetworks.CLASSES));
  }

  private static void checkLosses(EngineChoice choice, Architecture architecture, Samples samples) {
    List<Mixture> mixtures = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Weights one = architecture.initialWeights(TestNetworks.random(i));
      mixtures.add(Mixture.of(one));
      mixtures.add(
          Mixture.mean(List.of(one, architecture.initialWeights(TestNetworks.random(10 + i)))));
    }
    DataView all = DataView.own(Split.TRAIN);
    EngineTrainer trainer = trainer(choice.create(architecture), samples);
    for (Ticket.Detail detail : Ticket.Detail.values()) {
      Result.Losses together =
          (Result.Losses) trainer.perform(PEER, new Ticket.Losses(mixtures, all, detail));
      for (int i = 0; i < mixtures.size(); i++) {
        EngineTrainer fresh = trainer(choice.create(architecture), samples);
        assertThat(fresh.perform(PEER, new Ticket.Losses(mixtures.subList(i, i + 1), all, detail)))
            .isEqualTo(new Result.Losses(together.perMixture().subList(i, i + 1)));
      }
    }
    SampleRows rows = LearningFixtures.all(samples);
    assertThat(choice.create(architecture).losses(List.of(), rows)).isEmpty();
  }
}
