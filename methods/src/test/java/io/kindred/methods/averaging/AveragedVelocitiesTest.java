package io.kindred.methods.averaging;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.contract.TrainingBuilder;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AveragedVelocitiesTest {
  private static final Training KEEP =
      TrainingBuilder.from(Driver.TRAINING).velocity(Training.Velocity.KEEP).build();
  private static final FedAvg METHOD =
      new FedAvg(0, FedAvg.Velocities.AVERAGED, RoundSettings.of(TimeoutPolicy.of(600)));

  private static ClientUpdate update(int round, Weights weights, Weights velocity, int samples) {
    return new ClientUpdate(
        round,
        ModelUpdate.of(new SlotModel(0, weights, samples), new SlotModel(1, velocity, samples)),
        0);
  }

  @Test
  void aClientStartsWithTheServersVelocityAndSendsItsOwnBack() {
    Driver client = new Driver(METHOD, Driver.peerContext(0, KEEP));
    client.started();
    List<Effect> work =
        client.received(SERVER.number(), new ServerModels(1, List.of(model(1), weights(3, 4)), 0));
    Ticket.Train expected =
        KEEP.round(model(1), new PeerId(0), 1).fromVelocity(Optional.of(weights(3, 4)));
    assertThat(work).containsExactly(new Effect.Compute(1, expected));
    assertThat(client.trained(1, model(2), weights(5, 6)))
        .contains(new Effect.Send(SERVER, update(1, model(2), weights(5, 6), Driver.SAMPLES)));
  }

  @Test
  void aClientRefusesModelsWithoutAVelocity() {
    Driver client = new Driver(METHOD, Driver.peerContext(0, KEEP));
    client.started();
    assertThat(client.received(SERVER.number(), new ServerModels(1, List.of(model(1)), 0)))
        .containsExactly(Driver.counted("unexpected-message"));
  }

  /** Shares 0.75 and 0.25 of (4, 0) and (0, 8): (3, 2). */
  @Test
  void theServerAveragesWeightsAndVelocitiesWithTheSameShares() {
    Driver server = Driver.server(METHOD, 0, 1);
    assertThat(server.started())
        .contains(
            new Effect.Send(
                new PeerId(0), new ServerModels(1, List.of(weights(0, 0), weights(0, 0)), 0)));
    server.received(0, update(1, model(1), weights(4, 0), 30));
    assertThat(server.received(1, update(1, model(5), weights(0, 8), 10)))
        .containsExactly(mix(0, model(1), model(5)));
    assertThat(server.mixed(1, model(2))).containsExactly(mix(1, weights(4, 0), weights(0, 8)));
    assertThat(server.mixed(1, weights(3, 2)))
        .contains(
            new Effect.Send(
                new PeerId(1), new ServerModels(2, List.of(model(2), weights(3, 2)), 0)));
  }

  private static Effect[] mix(int slot, Weights first, Weights second) {
    return ExpectedMixture.of(1, slot, Weighting.SAMPLES)
        .from(0, first, 0.75, 30)
        .from(1, second, 0.25, 10)
        .effects();
  }

  @ParameterizedTest
  @CsvSource({"RESET, 0.9, set training.velocity to keep", "KEEP, 0, set training.momentum above"})
  void thereMustBeAVelocityToAverage(Training.Velocity velocity, double momentum, String remedy) {
    Training training =
        TrainingBuilder.from(Driver.TRAINING).velocity(velocity).momentum(momentum).build();
    assertThatThrownBy(() -> METHOD.check(5, training))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("method.velocities");
              assertThat(invalid.remedy()).contains(remedy);
            });
    FedAvg own = new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600)));
    assertThatCode(() -> own.check(5, training)).doesNotThrowAnyException();
    assertThatCode(() -> METHOD.check(5, KEEP)).doesNotThrowAnyException();
  }
}
