package io.kindred.methods.rounds;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.ServerMessage.Poll;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The client of a server, driven by {@code fedavg}, whose model is a single one. */
class ClientTest {
  private static final TimeoutPolicy TIMEOUT = TimeoutPolicy.of(600);
  private static final FedAvg METHOD = new FedAvg(0, RoundSettings.of(TIMEOUT));
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");

  private static FedAvg fedAvg(int participants, int staleness) {
    return new FedAvg(0, new RoundSettings(TIMEOUT, participants, staleness));
  }

  private static ServerModels models(int round, Weights weights) {
    return new ServerModels(round, List.of(weights), 0);
  }

  private static Effect serverTimer(int round) {
    return new Effect.SetTimer(new Timer("server-timeout", round), 1_200_000_000L);
  }

  private static Effect sendUpdate(int round, int number) {
    return new Effect.Send(Driver.SERVER, update(round, number, Driver.SAMPLES));
  }

  private static Effect deployed(int round, Stage stage, int number) {
    return Driver.deployed(round, stage, model(number), Audience.SELF);
  }

  private static Effect train(int round, int number, long peer) {
    return new Effect.Compute(round, Driver.TRAINING.round(model(number), new PeerId(peer), round));
  }

  private static Observation.Deployed observed(int round, Predictor predictor) {
    return new Observation.Deployed(round, Stage.MIXED, predictor, Audience.SELF);
  }

  private static ClientUpdate update(int round, int number, double samples) {
    return new ClientUpdate(round, ModelUpdate.of(new SlotModel(0, model(number), samples)), 0);
  }

  @Test
  void aClientTrainsTheServersModelAndSendsItBack() {
    Driver client = Driver.peer(METHOD, 4);
    assertThat(client.started(1, 2)).containsExactly(serverTimer(0));
    assertThat(client.received(10, models(1, model(1)))).containsExactly(train(1, 1, 4));
    assertThat(client.restored()).containsExactly(train(1, 1, 4));
    assertThat(client.trained(1, model(3)))
        .containsExactly(deployed(1, Stage.TRAINED, 3), sendUpdate(1, 3), serverTimer(1));
  }

  @Test
  void aClientDeploysTheNextModelAsTheResultOfTheRoundBefore() {
    Driver client = Driver.peer(METHOD, 4);
    assertThat(client.received(10, models(2, model(1))))
        .containsExactly(deployed(1, Stage.MIXED, 1), train(2, 1, 4));
    FedAvg fineTuned = new FedAvg(7, RoundSettings.of(TIMEOUT));
    Predictor adapted =
        new Predictor.Adapted(Driver.TRAINING.withEpochs(7).round(model(1), new PeerId(4), 3));
    assertThat(Driver.peer(fineTuned, 4).received(10, models(4, model(1))))
        .as("the final model")
        .containsExactly(new Effect.Observe(observed(3, adapted)));
  }

  @Test
  void aServerThatLostTheUpdateReceivesItAgainWithoutTraining() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, models(1, model(1)));
    client.trained(1, model(3));
    assertThat(client.received(10, models(1, model(1)))).containsExactly(sendUpdate(1, 3));
  }

  @Test
  void aClientIgnoresMessagesOfOtherPeersAndOfOldRounds() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, models(2, model(1)));
    assertThat(client.received(10, models(2, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(10, models(1, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(3, models(3, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(10, update(3, 1, 5))).containsExactly(UNEXPECTED);
    assertThat(client.received(10, models(3, Driver.weights(1, Float.POSITIVE_INFINITY))))
        .containsExactly(UNEXPECTED);
    client.ignoresTheRest(
        new Event.SendFailed(1, Driver.SERVER, update(1, 1, 1)),
        new Event.TimerFired(1, new Timer("server-timeout", 1)),
        new Event.NeighboursChanged(1, List.of()),
        new Event.LeaveRequested(1));
  }

  @Test
  void newerModelsInterruptTheWorkOnAnOlderRound() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, models(1, model(1)));
    assertThat(client.received(10, models(2, model(2))))
        .containsExactly(deployed(1, Stage.MIXED, 2), train(2, 2, 4));
    assertThat(client.trained(1, model(8))).isEmpty();
    assertThat(client.trained(2, model(9))).contains(sendUpdate(2, 9));
  }

  @Test
  void aSlowClientFinishesAnUpdateThatStillCountsBeforeItTakesNewerModels() {
    Driver client = Driver.peer(fedAvg(0, 1), 4);
    client.received(10, models(1, model(1)));
    assertThat(client.received(10, models(2, model(2)))).isEmpty();
    assertThat(client.restored()).as("after a crash").containsExactly(train(1, 1, 4));
    assertThat(client.trained(1, model(8)))
        .containsExactly(
            deployed(1, Stage.TRAINED, 8),
            sendUpdate(1, 8),
            deployed(1, Stage.MIXED, 2),
            train(2, 2, 4));
    assertThat(client.trained(2, model(9))).contains(sendUpdate(2, 9));
  }

  @Test
  void aSlowClientDropsAnUpdateThatIsTooOldOrComesAfterTheLastRound() {
    Driver tooOld = Driver.peer(fedAvg(0, 1), 4);
    tooOld.received(10, models(1, model(1)));
    tooOld.received(10, models(2, model(2)));
    assertThat(tooOld.received(10, models(3, model(3))))
        .containsExactly(deployed(2, Stage.MIXED, 3), train(3, 3, 4));
    assertThat(tooOld.received(10, models(4, model(4))))
        .as("the final models")
        .containsExactly(deployed(3, Stage.MIXED, 4));
  }

  @Test
  void anUpdateThatDidNotArriveIsSentAgainAFewTimes() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, models(1, model(1)));
    client.trained(1, model(2));
    ClientUpdate update = update(1, 2, Driver.SAMPLES);
    int attempts = 0;
    for (List<Effect> again = client.sendFailed(10, update);
        !again.isEmpty();
        again = client.sendFailed(10, update)) {
      update = (ClientUpdate) ((Effect.Send) again.getFirst()).message();
      assertThat(update.attempt()).isEqualTo(++attempts);
    }
    assertThat(attempts).isEqualTo(5);
  }

  @Test
  void aRestoredClientPollsAgainAfterItHasGivenUp() {
    Driver client = Driver.peer(METHOD, 4);
    client.started();
    Effect poll = new Effect.Send(Driver.SERVER, new Poll(0));
    for (int more = 0; more < 20; more++) {
      assertThat(client.timerFired("server-timeout", 0)).contains(poll);
    }
    assertThat(client.timerFired("server-timeout", 0)).isEmpty();
    assertThat(client.restored()).contains(poll);
  }
}
