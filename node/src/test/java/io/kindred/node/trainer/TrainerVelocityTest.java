package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.PeerFactoryBuilder;
import io.kindred.methods.contract.Training;
import io.kindred.methods.contract.TrainingBuilder;
import io.kindred.node.TinyNetwork;
import io.kindred.node.trainer.FakeTrainer.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Velocities between a node and its external trainer. */
@Timeout(60)
class TrainerVelocityTest {
  private static final PeerId PEER = new PeerId(1);
  private static final PeerFactory PEER_FACTORY = TinyNetwork.peerFactory(2, 3);
  private static final Weights FROM =
      PEER_FACTORY
          .architecture()
          .initialWeights(new RandomStreams(7).stream(Purpose.INITIAL_WEIGHTS, 0, 0));

  @TempDir private Path home;

  private ExternalTrainer start(FakeTrainer fake, PeerFactory factory) {
    int samples = factory.datasets().count(PEER, DataView.own(DataView.Split.TRAIN));
    fake.counts = Ints.of(samples, 0, 0, 0);
    TrainerSettings settings =
        new TrainerSettings(
            List.of("trainer"), Optional.empty(), TrainerSettings.Data.HANDED, 20, 20, 1);
    return ExternalTrainer.start(
        settings, fake, home.resolve("data"), 1, factory, (int) PEER.number(), line -> {});
  }

  private static Ticket.Train ticket(int round) {
    return new Ticket.Train(
        FROM,
        Objective.plain(),
        DataView.own(DataView.Split.TRAIN),
        new Optimizer(0.05, 0.9, 0.001),
        8,
        new Ticket.Duration.Epochs(2),
        new StreamKey(Purpose.BATCHES, PEER.number(), round));
  }

  @Test
  void aVelocityTravelsThereAndBack() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    fake.offers = List.of("train", "velocity");
    float[] start = new float[FROM.size()];
    start[1] = 0.5f;
    Ticket.Train kept = ticket(1).fromVelocity(Optional.of(Weights.copyOf(FROM.layout(), start)));
    try (ExternalTrainer trainer = start(fake, PEER_FACTORY)) {
      Result.Trained trained = (Result.Trained) trainer.perform(PEER, kept);
      float[] doubled = new float[FROM.size()];
      doubled[1] = 1;
      assertThat(trained.velocity()).contains(Weights.wrap(FROM.layout(), doubled));
      assertThat(fake.trained.getFirst().getVelocity()).isEqualTo("velocity");
      assertThat(fake.trained.getFirst().getReturnVelocity()).isTrue();
      Result.Trained fromZero =
          (Result.Trained) trainer.perform(PEER, ticket(2).fromVelocity(Optional.empty()));
      assertThat(fromZero.velocity())
          .as("an empty name: the trainer must not take the vector of the last request")
          .contains(Weights.wrap(FROM.layout(), new float[FROM.size()]));
      Result.Trained plain = (Result.Trained) trainer.perform(PEER, ticket(3));
      assertThat(plain.velocity()).isEmpty();
    }
  }

  @Test
  void keptVelocitiesAreAskedForAtTheStart() {
    Training keep =
        TrainingBuilder.from(PEER_FACTORY.training()).velocity(Training.Velocity.KEEP).build();
    PeerFactory factory = PeerFactoryBuilder.from(PEER_FACTORY).training(keep).build();
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    assertThatThrownBy(() -> start(fake, factory))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("needs velocity");
    assertThat(fake.open).hasValue(0);
  }

  @Test
  void aTrainerOfAnEarlierVersionIsRefusedATicketWithAVelocity() {
    FakeTrainer fake = new FakeTrainer(Behaviour.GOOD);
    try (ExternalTrainer trainer = start(fake, PEER_FACTORY)) {
      assertThatThrownBy(() -> trainer.perform(PEER, ticket(1).fromVelocity(Optional.empty())))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("needs velocity")
          .hasMessageContaining("offers [train, evaluate]");
    }
    assertThat(fake.trained).isEmpty();
  }
}
