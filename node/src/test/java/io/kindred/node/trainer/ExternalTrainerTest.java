package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.Trainer.TestSet;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.PeerFactoryBuilder;
import io.kindred.methods.contract.TrainingBuilder;
import io.kindred.node.Node;
import io.kindred.node.TinyNetwork;
import io.kindred.node.trainer.FakeTrainer.Behaviour;
import io.kindred.node.trainer.contract.TrainerMessages;
import io.kindred.storage.OperatorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with an external trainer, which here is a server in the same process. */
@Timeout(60)
class ExternalTrainerTest {
  private static final PeerId PEER = new PeerId(1);
  private static final PeerFactory PEER_FACTORY = TinyNetwork.peerFactory(2, 3);
  private static final Weights FROM =
      PEER_FACTORY
          .architecture()
          .initialWeights(new RandomStreams(7).stream(Purpose.INITIAL_WEIGHTS, 0, 0));

  @TempDir private Path home;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private static TrainerSettings settings(TrainerSettings.Data data, double seconds, int attempts) {
    return new TrainerSettings(List.of("somebody"), Optional.empty(), data, seconds, 20, attempts);
  }

  private static int samples(DataView.Split split) {
    return PEER_FACTORY.datasets().count(PEER, DataView.own(split));
  }

  private ExternalTrainer start(FakeTrainer fake, double seconds, int attempts) {
    fake.counts =
        Ints.of(
            samples(DataView.Split.TRAIN),
            samples(DataView.Split.VALIDATION),
            samples(DataView.Split.TEST),
            PEER_FACTORY.datasets().commonTestRows(PEER).count());
    return ExternalTrainer.start(
        settings(TrainerSettings.Data.HANDED, seconds, attempts),
        fake,
        home.resolve("data"),
        1,
        PEER_FACTORY,
        (int) PEER.number(),
        log::add);
  }

  private static Ticket.Train ticket(Objective objective, int round) {
    return new Ticket.Train(
        FROM,
        objective,
        DataView.own(DataView.Split.TRAIN),
        new Optimizer(0.05, 0.9, 0.001),
        8,
        new Ticket.Duration.Epochs(2),
        new StreamKey(Purpose.BATCHES, PEER.number(), round));
  }

  private static float[] oneMore() {
    float[] more = FROM.copy();
    for (int i = 0; i < more.length; i++) {
      more[i] += 1;
    }
    return more;
  }

  private static void assertTrained(Result result) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.Trained.class,
            trained -> {
              assertThat(trained.weights().shared()).isEqualTo(oneMore());
              assertThat(trained.loss()).isEqualTo(0.25);
              assertThat(trained.samples()).isEqualTo(3);
            });
  }

  @Test
  void aTicketIsTrainedElsewhereAsItSays() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    try (ExternalTrainer trainer = start(fake, 20, 3)) {
      assertTrained(trainer.perform(PEER, ticket(Objective.plain(), 4)));
      assertTrained(trainer.perform(PEER, ticket(Objective.plain(), 4)));
      assertTrained(trainer.perform(PEER, ticket(Objective.plain(), 5)));
    }
    TrainerMessages.TrainRequest first = fake.trained.getFirst();
    assertThat(first.getView().getSplit()).isEqualTo("train");
    assertThat(first.getView().getSelection()).isEqualTo("all");
    assertThat(first.getBatch()).isEqualTo(8);
    assertThat(first.getEpochs()).isEqualTo(2);
    assertThat(first.getSteps()).isZero();
    assertThat(first.getOptimizer())
        .isEqualTo(
            TrainerMessages.Optimizer.newBuilder()
                .setRule("sgd")
                .setLearningRate(0.05)
                .setWeightDecay(0.001)
                .setMomentum(0.9)
                .build());
    assertThat(fake.trained.get(1)).as("same round, same request").isEqualTo(first);
    assertThat(fake.trained.get(2).getSeed()).isNotEqualTo(first.getSeed());
    assertThat(fake.helloRequest)
        .isNotNull()
        .satisfies(
            hello -> {
              assertThat(hello.getLayersList()).containsExactly("dense");
              assertThat(hello.getLayoutList()).hasSize(2);
              assertThat(hello.getLayoutList().getLast())
                  .isEqualTo(
                      TrainerMessages.Block.newBuilder()
                          .setName("output.bias")
                          .addShape(4)
                          .setTrained(true)
                          .build());
              assertThat(Path.of(hello.getDataFile())).exists();
            });
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void anAnchorTravelsBesideTheRequest() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.offers = List.of("train", "proximal");
    Weights anchor = Weights.wrap(FROM.layout(), new float[FROM.size()]);
    Objective objective = Objective.plain().plus(new Objective.Term.Proximal(anchor, 0.5));
    try (ExternalTrainer trainer = start(fake, 20, 3)) {
      assertTrained(trainer.perform(PEER, ticket(objective, 1)));
    }
    assertThat(fake.trained.getFirst().getProximalList())
        .containsExactly(
            TrainerMessages.Proximal.newBuilder().setAnchor("anchor-0").setMu(0.5).build());
    assertThat(fake.vectors.get("anchor-0")).isEqualTo(new float[FROM.size()]);
  }

  @ParameterizedTest
  @CsvSource({
    "DIES, Train failed",
    "HANGS, no answer to Train within 1.0 s",
    "NOT_A_NUMBER, not finite",
    "SHORT, values instead of",
    "LONG, more than the",
    "ODD_LOSS, a loss of NaN",
    "MISTYPED, 'field loss of TrainReply, which is no double'",
    "UNEVEN, 3 bytes, which are no whole 32-bit floats",
    "OVERSIZED, RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 4194304",
    "BREAKS, out of chalk"
  })
  void aTrainerThatFailsIsToldRestartedAndAskedAgain(Behaviour behaviour, String words) {
    FakeTrainer fake = new FakeTrainer(behaviour, Behaviour.GOOD);
    try (ExternalTrainer trainer = start(fake, 1, 3)) {
      log.clear();
      float[] before = FROM.copy();
      assertTrained(trainer.perform(PEER, ticket(Objective.plain(), 1)));
      assertThat(FROM.shared()).as("the node's model").isEqualTo(before);
    }
    assertThat(fake.starts).hasValue(2);
    assertThat(fake.open).hasValue(0);
    assertThat(log).hasSize(1);
    assertThat(log.getFirst()).contains("at training").contains(words).contains("failure 1 of 3");
  }

  @Test
  void afterSoManyFailuresItGivesUpInWords() {
    FakeTrainer fake = new FakeTrainer(Behaviour.NOT_A_NUMBER);
    try (ExternalTrainer trainer = start(fake, 20, 3)) {
      assertThatThrownBy(() -> trainer.perform(PEER, ticket(Objective.plain(), 1)))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("failed 3 times in a row")
          .hasMessageContaining("learning rate");
    }
    assertThat(fake.starts).hasValue(3);
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void aTrainerThatRefusesIsNotAskedAgain() {
    FakeTrainer fake = new FakeTrainer(Behaviour.REFUSES);
    try (ExternalTrainer trainer = start(fake, 20, 3)) {
      assertThatThrownBy(() -> trainer.perform(PEER, ticket(Objective.plain(), 1)))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("refuses Train: no such loss");
    }
    assertThat(fake.starts).hasValue(1);
  }

  @Test
  void mixingStaysHere() {
    FakeTrainer fake = new FakeTrainer(Behaviour.DIES);
    try (ExternalTrainer trainer = start(fake, 20, 1)) {
      Weights other = Weights.wrap(FROM.layout(), oneMore());
      assertThat(trainer.perform(PEER, new Ticket.Mix(Mixture.of(other))))
          .isEqualTo(new Result.Mixed(other));
    }
    assertThat(fake.vectors).isEmpty();
  }

  @Test
  void lossesAreAskedForWhereTheyAreOffered() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.offers = List.of("train", "losses", "some", "weighted");
    DataView two =
        DataView.own(DataView.Split.TRAIN).select(new DataView.Selection.Subset(Ints.of(0, 3)));
    List<Mixture> models = List.of(Mixture.of(FROM));
    try (ExternalTrainer trainer = start(fake, 20, 1)) {
      assertThat(trainer.perform(PEER, new Ticket.Losses(models, two, Ticket.Detail.PER_SAMPLE)))
          .isEqualTo(new Result.Losses(List.of(Floats.of(0.5f, 1.5f))));
      assertThat(trainer.perform(PEER, new Ticket.Losses(models, two, Ticket.Detail.MEAN)))
          .isEqualTo(new Result.Losses(List.of(Floats.of(1))));
      DataView weighted =
          DataView.own(DataView.Split.TRAIN)
              .select(new DataView.Selection.Weighted(Floats.of(0.5f, 0.25f)));
      assertThat(trainer.perform(PEER, new Ticket.Losses(models, weighted, Ticket.Detail.MEAN)))
          .as("(0.5 * 0.5 + 0.25 * 1.5) / 2")
          .isEqualTo(new Result.Losses(List.of(Floats.of(0.3125f))));
      assertThatThrownBy(() -> trainer.perform(PEER, new Ticket.Outputs(Mixture.of(FROM), two)))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("outputs");
    }
  }

  @Test
  void augmentationIsLeftToTheTrainer() {
    PeerFactory augmented =
        PeerFactoryBuilder.from(PEER_FACTORY)
            .training(TrainingBuilder.from(PEER_FACTORY.training()).augment(true).build())
            .build();
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    assertThatThrownBy(
            () ->
                ExternalTrainer.start(
                    settings(TrainerSettings.Data.HANDED, 20, 1),
                    fake,
                    home.resolve("data"),
                    1,
                    augmented,
                    (int) PEER.number(),
                    log::add))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("training.augment"));
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void whatIsNotOfferedIsRefusedInOneLine() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.offers = List.of("evaluate");
    assertThatThrownBy(() -> start(fake, 20, 1))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("the method needs train")
        .hasMessageContaining("fake");
    fake.offers = List.of("train");
    try (ExternalTrainer trainer = start(fake, 20, 1)) {
      Objective pulled = Objective.plain().plus(new Objective.Term.Proximal(FROM, 1));
      assertThatThrownBy(() -> trainer.perform(PEER, ticket(pulled, 1)))
          .hasMessageContaining("needs proximal");
    }
    assertThat(fake.trained).isEmpty();
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void figuresAreTheTrainers() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    try (ExternalTrainer trainer = start(fake, 20, 1)) {
      Predictor model = new Predictor.Single(FROM);
      EvaluationResult own = trainer.evaluate(PEER, model, TestSet.OWN);
      assertThat(own.accuracy()).isEqualTo(0.75);
      assertThat(own.samples()).isEqualTo(samples(DataView.Split.TEST)).isPositive();
      assertThat(trainer.evaluate(PEER, model, TestSet.COMMON).accuracy()).isEqualTo(0.25);
      assertThat(fake.vectors.get("model")).isEqualTo(FROM.shared());
      log.clear();
      EvaluationResult none =
          trainer.evaluate(PEER, new Predictor.Ensemble(Mixture.of(FROM)), TestSet.OWN);
      assertThat(none.accuracy()).isNaN();
      assertThat(log).hasSize(1);
      assertThat(log.getFirst()).contains("ensemble");
    }
  }

  @Test
  void aTrainerWithDataOfItsOwnSaysHowMuch() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.counts = Ints.of(30, 5, 7, 0);
    fake.labelCounts = Ints.of(10, 0, 15, 5);
    try (ExternalTrainer trainer = own(fake)) {
      PeerFactory over = PEER_FACTORY.withDatasets(trainer.datasets());
      assertThat(over.datasets().count(PEER, DataView.own(DataView.Split.TRAIN))).isEqualTo(30);
      assertThat(over.datasets().count(PEER, DataView.own(DataView.Split.VALIDATION))).isEqualTo(5);
      assertThat(over.datasets().count(PEER, DataView.own(DataView.Split.TEST))).isEqualTo(7);
      int third = 0;
      for (int i = 0; i < 30; i++) {
        third += over.datasets().dataset().train().labels().get(i) == 2 ? 1 : 0;
      }
      assertThat(third).isEqualTo(15);
      assertThat(over.peer(1).initial()).isNotNull();
      assertThat(trainer.evaluate(PEER, new Predictor.Single(FROM), TestSet.COMMON).accuracy())
          .as("no common test set")
          .isNaN();
    }
    assertThat(fake.helloRequest)
        .isNotNull()
        .extracting(TrainerMessages.HelloRequest::getDataFile)
        .isEqualTo("");
    fake.labelCounts = Ints.of(10, 0, 15);
    assertThatThrownBy(() -> own(fake)).hasMessageContaining("30 samples of 4 classes");
    fake.labelCounts = Ints.of(10, -5, 20, 5);
    assertThatThrownBy(() -> own(fake)).hasMessageContaining("30 samples of 4 classes");
    fake.labelCounts = Ints.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 32, 0);
    assertThatThrownBy(() -> own(fake)).hasMessageContaining("30 samples of 4 classes");
    fake.counts = Ints.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 0);
    assertThatThrownBy(() -> own(fake)).hasMessageContaining("samples to train, validate and test");
  }

  private ExternalTrainer own(FakeTrainer fake) {
    return ExternalTrainer.start(
        settings(TrainerSettings.Data.OWN, 20, 1), fake, home, 1, PEER_FACTORY, 1, log::add);
  }

  @Test
  void aTrainerThatDidNotTakeTheDataIsRefused() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.counts = Ints.of(1, 0, 0, 0);
    assertThatThrownBy(
            () ->
                ExternalTrainer.start(
                    settings(TrainerSettings.Data.HANDED, 20, 1),
                    fake,
                    home.resolve("data"),
                    1,
                    PEER_FACTORY,
                    1,
                    log::add))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("has 1");
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void aLongVectorTravelsInParts() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.counts = Ints.of(1, 0, 0, 0);
    float[] values = new float[2 * TrainerSession.PART_VALUES + 5];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    try (TrainerInstance instance = fake.start()) {
      TrainerSession session = TrainerSession.forWork(instance.channel(), 20);
      session.setWeights("long", values);
      assertThat(session.getWeights("long", values.length)).isEqualTo(values);
      session.setWeights("empty", new float[0]);
      assertThat(session.getWeights("empty", 0)).isEmpty();
    }
  }

  @Test
  void closingDoesNotWaitForWorkThatHangs() throws InterruptedException {
    FakeTrainer fake = new FakeTrainer(Behaviour.HANGS);
    Thread caller;
    List<Throwable> ended = Collections.synchronizedList(new ArrayList<>());
    try (ExternalTrainer trainer = start(fake, 1_000, 3)) {
      caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      trainer.perform(PEER, ticket(Objective.plain(), 1));
                    } catch (OperatorException stopped) {
                      ended.add(stopped);
                    }
                  });
      while (fake.trained.isEmpty()) {
        Thread.sleep(5);
      }
    }
    caller.join();
    assertThat(ended).hasSize(1);
    assertThat(fake.starts).as("nothing is begun again").hasValue(1);
  }

  @Test
  void aNodeGoesItsRoundsWithATrainerThatDiesAndHangs() throws InterruptedException {
    FakeTrainer fake =
        new FakeTrainer(Behaviour.DIES, Behaviour.HANGS, Behaviour.NOT_A_NUMBER, Behaviour.GOOD);
    try (ExternalTrainer trainer = start(fake, 1, 5);
        TinyNetwork network = new TinyNetwork(home.resolve("net"), 2, 3)) {
      network.useTrainer((int) PEER.number(), trainer);
      network.start();
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(50, TimeUnit.SECONDS)).isTrue();
        assertThat(node.failure()).isEmpty();
      }
    }
    assertThat(fake.starts).hasValue(4);
    assertThat(log.stream().filter(line -> line.startsWith("trainer failed"))).hasSize(3);
  }

  @Test
  void aNodeWhoseTrainerNeverWorksStopsInWords() throws InterruptedException {
    FakeTrainer fake = new FakeTrainer(Behaviour.BREAKS);
    try (ExternalTrainer trainer = start(fake, 20, 2);
        TinyNetwork network = new TinyNetwork(home.resolve("net"), 2, 3)) {
      network.useTrainer((int) PEER.number(), trainer);
      network.start();
      Node node = network.node((int) PEER.number());
      assertThat(node.awaitTermination(50, TimeUnit.SECONDS)).isTrue();
      assertThat(node.failure()).isPresent();
      assertThat(node.failure().get()).hasMessageContaining("failed 2 times in a row");
    }
  }
}
