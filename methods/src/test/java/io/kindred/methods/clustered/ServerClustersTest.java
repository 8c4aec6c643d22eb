package io.kindred.methods.clustered;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.mixing.ExpectationMaximization;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.ServerMessage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServerClustersTest {
  private static final Ifca IFCA =
      new Ifca(2, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(60)));
  private static final Weights FIRST = Driver.weights(0, 0);
  private static final Weights SECOND = Driver.weights(1, 1);

  /** Clients send a share of one instead of their number of samples. */
  private static final int NOT_REPORTED = 0;

  private static Message delivery(Driver client, int slot) {
    client.received(10, new ServerMessage.ServerModels(1, List.of(FIRST, SECOND), 0));
    float[] losses = slot == 0 ? new float[] {0.1f, 0.2f} : new float[] {0.2f, 0.1f};
    client.feed(
        new Event.Computed(
            5, 1, new Result.Losses(List.of(Floats.of(losses[0]), Floats.of(losses[1])))));
    return sent(client.trained(1, model(4 + slot)));
  }

  @Test
  void theServerAveragesEachClusterOverThoseInIt() {
    Driver server = Driver.server(IFCA, 0, 1, 2);
    assertThat(server.started()).hasSize(4);
    server.received(0, delivery(Driver.peer(IFCA, 0), 1));
    server.received(1, delivery(Driver.peer(IFCA, 1), 1));
    assertThat(server.received(2, delivery(Driver.peer(IFCA, 2), 1)))
        .as("no client is in the first cluster, so its model stays")
        .containsExactly(
            ExpectedMixture.of(1, 1, Weighting.EQUAL)
                .from(0, model(5), 1.0 / 3, NOT_REPORTED)
                .from(1, model(5), 1.0 / 3, NOT_REPORTED)
                .from(2, model(5), 1.0 / 3, NOT_REPORTED)
                .effects());
    assertThat(server.mixed(1, model(9)))
        .contains(
            new Effect.Send(
                new PeerId(2), new ServerMessage.ServerModels(2, List.of(FIRST, model(9)), 0)));
  }

  /** Ghosh et al., 2020, algorithm 1: sample counts do not weight the models of a cluster. */
  @Test
  void ifcaTakesThePlainMeanOfPeersWithUnequalAmountsOfData() {
    Driver server = Driver.server(IFCA, 0, 1);
    server.started();
    server.received(0, delivery(new Driver(IFCA, Driver.peerContext(0, 10)), 1));
    assertThat(server.received(1, delivery(new Driver(IFCA, Driver.peerContext(1, 90)), 1)))
        .containsExactly(
            ExpectedMixture.of(1, 1, Weighting.EQUAL)
                .from(0, model(5), 0.5, NOT_REPORTED)
                .from(1, model(5), 0.5, NOT_REPORTED)
                .effects());
  }

  @Test
  void theServerIsSavedAfterEveryRound() {
    Driver server = Driver.server(IFCA, 0);
    server.started();
    server.received(0, delivery(Driver.peer(IFCA, 0), 1));
    assertThat(server.mixed(1, model(9)))
        .first()
        .isEqualTo(new Effect.Observe(new Observation.RoundCompleted(1)));
  }

  @Test
  void aServerThatComesBackIsAnsweredAgain() {
    Driver client = Driver.peer(IFCA, 0);
    Message answer = delivery(client, 1);
    assertThat(client.received(10, new ServerMessage.ServerModels(1, List.of(FIRST, SECOND), 0)))
        .containsExactly(new Effect.Send(Driver.SERVER, answer));
  }

  @Test
  void aLossThatIsNoNumberIsTheLargest() {
    List<Floats> losses = List.of(Floats.of(Float.NaN), Floats.of(3), Floats.of(Float.NaN));
    assertThat(ModelSlots.lowestLoss(losses, 0)).isEqualTo(1);
  }

  @Test
  void aClientDeploysTheModelOfItsClusterOnceTheServerHasAveraged() {
    Driver client = Driver.peer(IFCA, 0);
    delivery(client, 0);
    client.received(10, new ServerMessage.ServerModels(2, List.of(model(6), model(7)), 0));
    assertThat(
            client.feed(
                new Event.Computed(
                    9, 2, new Result.Losses(List.of(Floats.of(0.9f), Floats.of(0.3f))))))
        .contains(
            new Effect.Observe(new Observation.Measured(1, "cluster", 1)),
            Driver.deployed(1, Stage.MIXED, model(7), Audience.SELF))
        .last()
        .isEqualTo(
            new Effect.Compute(2, Driver.TRAINING.round(model(7), new PeerId(0), 2).ofModel(1)));
  }

  @Test
  void aLateClientIsLeftOutAndAllClientsReceiveTheFinalModels() {
    Driver server = Driver.server(IFCA, 0, 1);
    server.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      Message answer = message(round, 0, model(round));
      server.received(0, answer);
      server.timerFired("deadline", round);
      List<Effect> effects = server.mixed(round, model(20 + round));
      ServerMessage.ServerModels serverModels =
          new ServerMessage.ServerModels(round + 1, List.of(model(20 + round), SECOND), 0);
      assertThat(effects)
          .contains(
              new Effect.Send(new PeerId(0), serverModels),
              new Effect.Send(new PeerId(1), serverModels));
    }
    ServerMessage.ServerModels outcome =
        new ServerMessage.ServerModels(
            Driver.ROUNDS + 1, List.of(model(20 + Driver.ROUNDS), SECOND), 0);
    assertThat(server.sendFailed(1, outcome))
        .containsExactly(
            new Effect.Send(
                new PeerId(1),
                new ServerMessage.ServerModels(outcome.round(), outcome.models(), 1)));
  }

  /** The update of a client, created by a client, because its message type is not visible here. */
  private static Message message(int round, int slot, Weights weights) {
    Driver client = Driver.peer(IFCA, 0);
    client.received(10, new ServerMessage.ServerModels(round, List.of(FIRST, SECOND), 0));
    client.feed(losses(round, slot));
    return sent(client.trained(round, weights));
  }

  private static Message sent(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).message())
        .findFirst()
        .orElseThrow();
  }

  private static Event losses(int round, int slot) {
    return new Event.Computed(
        5,
        round,
        new Result.Losses(List.of(Floats.of(slot == 0 ? 0 : 1), Floats.of(slot == 0 ? 1 : 0))));
  }

  @Test
  void aClientThatHearsNothingAsksAgainAndIsCaughtUp() {
    Driver client = Driver.peer(IFCA, 0);
    delivery(client, 0);
    List<Effect> asking = client.timerFired("server-timeout", 1);
    assertThat(asking).hasSize(2);
    Driver server = Driver.server(IFCA, 0, 1);
    server.started();
    assertThat(server.received(0, sent(asking))).as("nothing newer yet").isEmpty();
    server.received(1, message(1, 0, model(1)));
    server.timerFired("deadline", 1);
    server.mixed(1, model(9));
    assertThat(server.received(0, sent(asking)))
        .containsExactly(
            new Effect.Send(
                new PeerId(0), new ServerMessage.ServerModels(2, List.of(model(9), SECOND), 0)));
    for (int more = 0; more < 30; more++) {
      client.timerFired("server-timeout", 1);
    }
    assertThat(client.timerFired("server-timeout", 1)).as("not for ever").isEmpty();
  }

  @Test
  void brokenDeliveriesAreCountedAndDropped() {
    Driver server = Driver.server(IFCA, 0, 1);
    server.started();
    Object before = server.state();
    Effect unexpected = Driver.counted("unexpected-message");
    Message good = message(1, 0, model(1));
    assertThat(server.received(7, good)).as("a stranger").containsExactly(unexpected);
    Message other = new ServerMessage.ServerModels(1, List.of(), 0);
    assertThat(server.received(0, other)).containsExactly(unexpected);
    assertThat(server.received(0, message(2, 0, model(1)))).containsExactly(unexpected);
    assertThat(server.received(0, message(1, 0, Driver.weights(1, Float.NaN))))
        .containsExactly(unexpected);
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void responsibilitiesFollowSharesAndLosses() {
    // By hand, for shares 3/4 and 1/4: losses ln 2 and 0 give 3/8 against 1/4, so 0.6 and 0.4.
    List<Floats> losses = List.of(Floats.of((float) Math.log(2), 800), Floats.of(0, 801));
    List<Floats> parts = ExpectationMaximization.responsibilities(losses, List.of(0.75, 0.25));
    assertThat((double) parts.get(0).get(0)).isCloseTo(0.6, within(1e-6));
    assertThat((double) parts.get(1).get(0)).isCloseTo(0.4, within(1e-6));
    // exp(-800) vanishes in a double; the ratio 3 e : 1 does not.
    assertThat((double) parts.get(0).get(1)).isCloseTo(3 * Math.E / (3 * Math.E + 1), within(1e-6));
    for (int sample = 0; sample < 2; sample++) {
      int each = sample;
      assertThat(IntStream.range(0, 2).mapToDouble(slot -> parts.get(slot).get(each)).sum())
          .isCloseTo(1, within(1e-6));
    }
  }

  @Test
  void fedEmTrainsEveryComponentOnItsWeightedSamplesAndSendsAll() {
    FedEm method = new FedEm(2, Aggregation.GRAPH, RoundSettings.of(TimeoutPolicy.of(60)));
    Driver peer = Driver.peer(method, 1);
    peer.started(0);
    float[] even = new float[Driver.SAMPLES];
    List<Effect> effects =
        peer.feed(
            new Event.Computed(
                1, 1, new Result.Losses(List.of(Floats.wrap(even), Floats.wrap(even)))));
    assertThat(effects).hasSize(1);
    assertThat(peer.trained(1, model(1))).as("the second one").hasSize(1);
    assertThat(peer.trained(1, model(2)))
        .filteredOn(Effect.Send.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Send.class,
            send -> assertThat(send.message().toString()).contains("slot=0").contains("slot=1"));
  }

  @Test
  void pFedMeFollowsItsOwnModelByEtaLambdaOfTheWay() {
    PFedMe method =
        new PFedMe(10, 0.05, 5, 1, 1, Aggregation.GRAPH, RoundSettings.of(TimeoutPolicy.of(60)));
    Driver peer = Driver.peer(method, 1);
    Ticket.Train train = (Ticket.Train) ((Effect.Compute) peer.started(0).getFirst()).work();
    assertThat(train.duration()).isEqualTo(new Ticket.Duration.Steps(5));
    assertThat(train.objective().terms()).hasSize(1);
    assertThat(peer.trained(1, model(3)))
        .containsExactly(
            new Effect.Compute(
                1,
                new Ticket.Mix(
                    new Mixture(
                        List.of(new MixturePart(FIRST, 0.5), new MixturePart(model(3), 0.5))))));
    assertThat(peer.mixed(1, model(2)))
        .contains(Driver.deployed(1, Stage.TRAINED, model(3), Audience.SELF));
  }

  @Test
  void pFedMeWarnsOfInnerStepsThatDiverge() {
    PFedMe method =
        new PFedMe(15, 0.05, 5, 1, 1, Aggregation.GRAPH, RoundSettings.of(TimeoutPolicy.of(60)));
    assertThat(method.warnings(4, new Training(1, 8, 0.13, 0, 0))).isEmpty();
    assertThat(method.warnings(4, new Training(1, 8, 0.2, 0, 0)))
        .containsExactly(
            "'training.learningRate': 0.2 times 'method.lambda' 15 is 3, and above 2 the inner"
                + " steps diverge from the common model; choose a learning rate below 0.1333 or a"
                + " lambda below 10");
  }

  @Test
  void fedSoftPullsTowardsEveryCenterByItsShare() {
    FedSoft method =
        new FedSoft(2, 0.4, 0.1, Aggregation.GRAPH, RoundSettings.of(TimeoutPolicy.of(60)));
    Driver peer = Driver.peer(method, 1);
    peer.started(0);
    float[] low = new float[Driver.SAMPLES];
    float[] high = new float[Driver.SAMPLES];
    java.util.Arrays.fill(high, 1);
    Effect effect =
        peer.feed(
                new Event.Computed(
                    1, 1, new Result.Losses(List.of(Floats.wrap(low), Floats.wrap(high)))))
            .getFirst();
    Ticket.Train train = (Ticket.Train) ((Effect.Compute) effect).work();
    // Shares 1 and 0 are raised to 1 and 0.1, then normalized to a sum of one.
    assertThat(train.objective().terms())
        .containsExactly(
            new io.kindred.core.compute.Objective.Term.Proximal(FIRST, 0.4 * (1 / 1.1)),
            new io.kindred.core.compute.Objective.Term.Proximal(SECOND, 0.4 * (0.1 / 1.1)));
  }
}
