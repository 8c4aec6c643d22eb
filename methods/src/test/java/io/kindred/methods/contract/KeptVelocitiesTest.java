package io.kindred.methods.contract;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Interceptor;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.clustered.FedEm;
import io.kindred.methods.clustered.Ifca;
import io.kindred.methods.contract.KeptVelocities.VelocityState;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Velocities that a peer keeps from one training of a model to the next. */
class KeptVelocitiesTest {
  private static final Training KEEP =
      TrainingBuilder.from(Driver.TRAINING).velocity(Training.Velocity.KEEP).build();
  private static final RoundSettings ROUNDS = RoundSettings.of(TimeoutPolicy.of(600));

  private static Driver peer(Method method) {
    return new Driver(method, Driver.peerContext(0, KEEP));
  }

  /** The one training among some effects. */
  private static Ticket.Train training(List<Effect> effects) {
    List<Ticket.Train> found =
        effects.stream()
            .filter(Effect.Compute.class::isInstance)
            .map(each -> ((Effect.Compute) each).work())
            .filter(Ticket.Train.class::isInstance)
            .map(Ticket.Train.class::cast)
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static void assertStarts(List<Effect> effects, int model, Optional<Weights> velocity) {
    Ticket.Train train = training(effects);
    assertThat(train.model()).isEqualTo(model);
    assertThat(train.velocity()).isEqualTo(velocity);
    assertThat(train.returnsVelocity()).isTrue();
  }

  private static List<Effect> serverModels(Driver peer, int round, Weights... models) {
    return peer.received(SERVER.number(), new ServerModels(round, List.of(models), 0));
  }

  @Test
  void aTrainingStartsWithTheVelocityOfTheLastOne() {
    Driver peer = peer(new Local());
    assertStarts(peer.started(), 0, Optional.empty());
    List<Effect> second = peer.trained(1, model(5), weights(1, 2));
    assertThat(training(second).from()).isEqualTo(model(5));
    assertStarts(second, 0, Optional.of(weights(1, 2)));
    assertStarts(peer.trained(2, model(6), weights(3, 4)), 0, Optional.of(weights(3, 4)));
  }

  @Test
  void withoutTheSettingTicketsHaveNoVelocity() {
    Ticket.Train train = training(Driver.peer(new Local(), 0).started());
    assertThat(train.velocity()).isEmpty();
    assertThat(train.returnsVelocity()).isFalse();
  }

  @Test
  void aRestoredPeerTrainsWithTheVelocityThatItHas() {
    Driver peer = peer(new Local());
    peer.started();
    peer.trained(1, model(5), weights(1, 2));
    assertStarts(peer.restored(), 0, Optional.of(weights(1, 2)));
    assertThat(peer.state(VelocityState.class).running()).hasSize(1);
    assertStarts(peer.trained(2, model(6), weights(3, 4)), 0, Optional.of(weights(3, 4)));
  }

  @Test
  void theTwoModelsOfDittoHaveVelocitiesOfTheirOwn() {
    Driver peer = peer(new Ditto(0.1, Aggregation.SERVER, ROUNDS));
    peer.started();
    assertStarts(serverModels(peer, 1, model(1)), 0, Optional.empty());
    assertStarts(peer.trained(1, model(2), weights(1, 0)), 1, Optional.empty());
    peer.trained(1, model(3), weights(0, 1));
    assertStarts(serverModels(peer, 2, model(4)), 0, Optional.of(weights(1, 0)));
    assertStarts(peer.trained(2, model(5), weights(2, 0)), 1, Optional.of(weights(0, 1)));
    assertThat(peer.state(VelocityState.class).velocities())
        .containsEntry(0, weights(2, 0))
        .containsEntry(1, weights(0, 1));
  }

  @Test
  void everyComponentOfFedEmHasAVelocity() {
    Driver peer = peer(new FedEm(2, Aggregation.SERVER, ROUNDS));
    peer.started();
    serverModels(peer, 1, model(1), model(2));
    Result.Losses losses =
        new Result.Losses(List.of(Floats.wrap(new float[30]), Floats.wrap(new float[30])));
    assertStarts(peer.feed(new Event.Computed(9, 1, losses)), 0, Optional.empty());
    assertStarts(peer.trained(1, model(3), weights(1, 0)), 1, Optional.empty());
    peer.trained(1, model(4), weights(0, 1));
    serverModels(peer, 2, model(5), model(6));
    assertStarts(peer.feed(new Event.Computed(9, 2, losses)), 0, Optional.of(weights(1, 0)));
    assertStarts(peer.trained(2, model(7), weights(2, 0)), 1, Optional.of(weights(0, 1)));
  }

  /** A peer that changes its cluster goes on with the velocity that it has for that cluster. */
  @Test
  void everyClusterOfIfcaHasAVelocity() {
    Driver peer = peer(new Ifca(2, Aggregation.SERVER, ROUNDS));
    peer.started();
    serverModels(peer, 1, model(1), model(2));
    assertStarts(peer.feed(losses(1, 3, 2)), 1, Optional.empty());
    peer.trained(1, model(3), weights(1, 1));
    serverModels(peer, 2, model(4), model(5));
    assertStarts(peer.feed(losses(2, 1, 2)), 0, Optional.empty());
    peer.trained(2, model(6), weights(2, 2));
    serverModels(peer, 3, model(7), model(8));
    assertStarts(peer.feed(losses(3, 2, 1)), 1, Optional.of(weights(1, 1)));
  }

  private static Event losses(long ticket, float first, float second) {
    return new Event.Computed(
        9, ticket, new Result.Losses(List.of(Floats.of(first), Floats.of(second))));
  }

  @Test
  void aTrainingThatANewerOneReplacedLeavesNoVelocity() {
    Driver peer = peer(new FedAvg(0, ROUNDS));
    peer.started();
    serverModels(peer, 1, model(1));
    assertStarts(serverModels(peer, 2, model(2)), 0, Optional.empty());
    assertThat(peer.trained(1, model(3), weights(9, 9))).isEmpty();
    assertThat(peer.state(VelocityState.class).velocities()).isEmpty();
    peer.trained(2, model(4), weights(1, 1));
    assertThat(peer.state(VelocityState.class).velocities()).containsEntry(0, weights(1, 1));
    assertThat(peer.state(VelocityState.class).running()).isEmpty();
    assertStarts(serverModels(peer, 3, model(5)), 0, Optional.of(weights(1, 1)));
  }

  private static Ticket.Train ticket(double momentum) {
    return new Ticket.Train(
        model(1),
        Objective.plain(),
        DataView.own(DataView.Split.TRAIN),
        new Optimizer(0.1, momentum, 0),
        8,
        new Ticket.Duration.Epochs(1),
        new StreamKey(Purpose.BATCHES, 0, 1));
  }

  @Test
  void someTicketsStayAsTheyAre() {
    @SuppressWarnings("unchecked")
    Interceptor<VelocityState> keeping =
        (Interceptor<VelocityState>) KeptVelocities.layers(KEEP).getFirst().interceptor();
    Event started = new Event.Started(0, List.of());
    for (Ticket work :
        List.of(
            ticket(0),
            ticket(0.9).ofModel(Ticket.Train.TEMPORARY),
            ticket(0.9).fromVelocity(Optional.of(weights(1, 2))),
            ticket(0.9).fromVelocity(Optional.empty()))) {
      Effect compute = new Effect.Compute(4, work);
      Step<VelocityState> step = keeping.afterStep(keeping.initial(), started, List.of(compute));
      assertThat(step.effects()).containsExactly(compute);
      assertThat(step.state()).isEqualTo(keeping.initial());
    }
    Event own =
        new Event.Computed(1, 4, new Result.Trained(model(2), 0.5, 30, Optional.of(weights(1, 2))));
    assertThat(keeping.beforeStep(keeping.initial(), own))
        .as("a velocity that the method asked for")
        .contains(own);
  }

  @Test
  void theMethodGetsTheResultWithoutTheVelocity() {
    @SuppressWarnings("unchecked")
    Interceptor<VelocityState> keeping =
        (Interceptor<VelocityState>) KeptVelocities.layers(KEEP).getFirst().interceptor();
    VelocityState running =
        keeping
            .afterStep(
                keeping.initial(),
                new Event.Started(0, List.of()),
                List.of(new Effect.Compute(4, ticket(0.9))))
            .state();
    Result.Trained trained = new Result.Trained(model(2), 0.5, 30, Optional.of(weights(1, 2)));
    assertThat(keeping.beforeStep(running, new Event.Computed(1, 4, trained)))
        .contains(new Event.Computed(1, 4, new Result.Trained(model(2), 0.5, 30)));
  }
}
