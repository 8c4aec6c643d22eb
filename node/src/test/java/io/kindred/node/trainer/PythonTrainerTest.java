package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Mlp;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.Trainer;
import io.kindred.learning.training.Trainer.TestSet;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.Node;
import io.kindred.node.TinyNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the example in Python with the built-in trainer, which shares no line with it. Where all
 * samples are one batch, their order cannot matter and both must train the same. Skipped where
 * there is no Python with grpc and numpy.
 */
@Timeout(120)
class PythonTrainerTest {
  private static final PeerId PEER = new PeerId(0);
  private static final Path EXAMPLE =
      Path.of("../examples/python/perceptron.py").toAbsolutePath().normalize();
  private static final DataView TRAIN = DataView.own(DataView.Split.TRAIN);

  private static String python = "";

  @TempDir private Path home;
  private final List<String> log = new ArrayList<>();

  @BeforeAll
  static void findPython() throws IOException, InterruptedException {
    for (String candidate : List.of("python3", "/usr/bin/python3")) {
      try {
        Process process =
            new ProcessBuilder(candidate, "-c", "import grpc, numpy")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() == 0) {
          python = candidate;
          return;
        }
      } catch (IOException absent) {
        // The next candidate may be there.
      }
    }
    Assumptions.abort("no Python with grpc and numpy");
  }

  private static PeerFactory peerFactory() {
    PeerFactory small = TinyNetwork.peerFactory(2, 3);
    return new PeerFactory(
        small.method(),
        small.datasets(),
        new Mlp(List.of(5)).sizedFor(small.datasets().dataset()),
        small.training(),
        small.rounds(),
        small.seed(),
        small.start());
  }

  private ExternalTrainer start(PeerFactory factory, String... command) {
    TrainerSettings settings =
        new TrainerSettings(
            List.of(command), Optional.empty(), TrainerSettings.Data.HANDED, 60, 60, 3);
    return ExternalTrainer.start(settings, home, home, factory, 0, log::add);
  }

  private static Weights initial(PeerFactory factory) {
    return factory
        .architecture()
        .initialWeights(new RandomStreams(5).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
  }

  private static Ticket.Train ticket(
      Weights from, Objective objective, DataView view, Optimizer optimizer) {
    return new Ticket.Train(
        from,
        objective,
        view,
        optimizer,
        0,
        new Ticket.Duration.Steps(5),
        new StreamKey(Purpose.BATCHES, 0, 1));
  }

  private static Weights velocity(Weights like) {
    float[] values = new float[like.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.1f * (i % 5 - 2);
    }
    return Weights.wrap(like.layout(), values);
  }

  @Test
  void trainsAsTheBuiltInTrainerDoes() {
    PeerFactory factory = peerFactory();
    Trainer builtIn = factory.trainers(new Jvm()).get();
    Weights from = initial(factory);
    float[] sampleWeights = new float[factory.datasets().count(PEER, TRAIN)];
    for (int i = 0; i < sampleWeights.length; i++) {
      sampleWeights[i] = 0.5f + i % 3;
    }
    Optimizer plain = new Optimizer(0.1, 0, 0);
    Optimizer heavy = new Optimizer(new Optimizer.Rule.Sgd(0.9, true), 0.1, 0.01, 0.5);
    Objective pulled =
        Objective.plain()
            .plus(
                new Objective.Term.Proximal(
                    Weights.wrap(from.layout(), new float[from.size()]), 0.3));
    List<Ticket.Train> tickets =
        List.of(
            ticket(from, Objective.plain(), TRAIN, plain),
            ticket(from, Objective.plain(), TRAIN, new Optimizer(0.1, 0.9, 0.01)),
            ticket(from, pulled, TRAIN, heavy),
            ticket(from, Objective.plain().onlyLayers(List.of("output")), TRAIN, plain),
            ticket(
                from,
                Objective.plain(),
                TRAIN.select(new DataView.Selection.Subset(Ints.of(3, 0, 7))),
                plain),
            ticket(
                from,
                Objective.plain(),
                TRAIN.select(new DataView.Selection.Weighted(Floats.of(sampleWeights))),
                plain),
            ticket(from, Objective.plain(), TRAIN, new Optimizer(0.1, 0.9, 0.01))
                .fromVelocity(Optional.of(velocity(from))),
            ticket(from, pulled.onlyLayers(List.of("output")), TRAIN, heavy)
                .fromVelocity(Optional.of(velocity(from))),
            ticket(from, Objective.plain(), TRAIN, plain).fromVelocity(Optional.empty()));
    try (ExternalTrainer python = start(factory, PythonTrainerTest.python, EXAMPLE.toString())) {
      for (Ticket.Train ticket : tickets) {
        Result.Trained expected = (Result.Trained) builtIn.perform(PEER, ticket);
        Result.Trained found = (Result.Trained) python.perform(PEER, ticket);
        assertThat(found.samples()).isEqualTo(expected.samples());
        assertThat(found.loss()).isCloseTo(expected.loss(), within(1e-4));
        float[] weights = found.weights().shared();
        for (int i = 0; i < weights.length; i++) {
          assertThat(weights[i]).isCloseTo(expected.weights().get(i), within(2e-5f));
        }
        assertThat(weights).as("something was trained").isNotEqualTo(from.shared());
        assertThat(found.velocity().isPresent()).isEqualTo(ticket.returnsVelocity());
        expected
            .velocity()
            .ifPresent(
                velocity ->
                    assertThat(found.velocity().orElseThrow().copy())
                        .containsExactly(velocity.copy(), within(2e-5f)));
      }
    }
  }

  @Test
  void judgesAsTheBuiltInTrainerDoes() {
    PeerFactory factory = peerFactory();
    Trainer builtIn = factory.trainers(new Jvm()).get();
    Weights model = initial(factory);
    DataView view = DataView.own(DataView.Split.VALIDATION);
    Ticket losses = new Ticket.Losses(List.of(Mixture.of(model)), view, Ticket.Detail.PER_SAMPLE);
    Ticket outputs = new Ticket.Outputs(Mixture.of(model), view);
    try (ExternalTrainer python = start(factory, PythonTrainerTest.python, EXAMPLE.toString())) {
      for (TestSet on : TestSet.values()) {
        EvaluationResult expected = builtIn.evaluate(PEER, new Predictor.Single(model), on);
        EvaluationResult found = python.evaluate(PEER, new Predictor.Single(model), on);
        assertThat(found.samples()).isEqualTo(expected.samples());
        assertThat(found.accuracy()).isEqualTo(expected.accuracy());
        assertThat(found.loss()).isCloseTo(expected.loss(), within(1e-5));
      }
      assertClose(
          ((Result.Losses) python.perform(PEER, losses)).perMixture().getFirst(),
          ((Result.Losses) builtIn.perform(PEER, losses)).perMixture().getFirst());
      assertClose(
          ((Result.Outputs) python.perform(PEER, outputs)).values(),
          ((Result.Outputs) builtIn.perform(PEER, outputs)).values());
    }
  }

  private static void assertClose(Floats found, Floats expected) {
    assertThat(found.size()).isEqualTo(expected.size()).isPositive();
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isCloseTo(expected.get(i), within(1e-5f));
    }
  }

  @Test
  void aProcessThatIsKilledIsStartedAgain() {
    PeerFactory factory = peerFactory();
    Ticket.Train ticket =
        ticket(initial(factory), Objective.plain(), TRAIN, new Optimizer(0.1, 0, 0));
    try (ExternalTrainer trainer = start(factory, python, EXAMPLE.toString())) {
      Result before = trainer.perform(PEER, ticket);
      List<ProcessHandle> children =
          ProcessHandle.current()
              .children()
              .filter(child -> child.info().commandLine().orElse("").contains("perceptron"))
              .toList();
      assertThat(children).hasSize(1);
      children.forEach(ProcessHandle::destroyForcibly);
      children.forEach(child -> child.onExit().join());
      log.clear();
      assertThat(trainer.perform(PEER, ticket)).isEqualTo(before);
      assertThat(log).hasSize(1);
      assertThat(log.getFirst()).contains("ended with code 137");
    }
  }

  @Test
  void peersTrainedInJavaAndInPythonGoTheirRoundsTogether() throws InterruptedException {
    try (ExternalTrainer trainer =
            start(TinyNetwork.peerFactory(3, 3), python, EXAMPLE.toString());
        TinyNetwork network = new TinyNetwork(home.resolve("net"), 3, 3)) {
      network.useTrainer(0, trainer);
      network.start();
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(60, TimeUnit.SECONDS)).isTrue();
        assertThat(node.failure()).isEmpty();
        assertThat(node.status().exchange().totals().failedSends()).isZero();
      }
    }
    assertThat(log).as("nothing but the greeting").hasSize(1);
  }

  @Test
  void aCommandThatCannotWorkIsRefusedAtTheStart() {
    PeerFactory factory = peerFactory();
    assertThatThrownBy(() -> start(factory, home.resolve("nothing").toString()))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cannot be started");
    assertThatThrownBy(() -> start(factory, python, "-c", "import nonsense_of_ours"))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("ended with code 1")
        .hasMessageContaining("No module named 'nonsense_of_ours'");
  }
}
