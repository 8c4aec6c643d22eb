package io.kindred.methods.rounds;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.clustered.FedEm;
import io.kindred.methods.clustered.FedSoft;
import io.kindred.methods.clustered.Ifca;
import io.kindred.methods.clustered.PFedMe;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.mixing.PerFedAvg;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.personal.PFedGraph;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.ServerMessage.Poll;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server, driven by {@code fedavg}, whose model is a single one. */
class ServerTest {
  private static final TimeoutPolicy TIMEOUT = TimeoutPolicy.of(600);
  private static final FedAvg METHOD = new FedAvg(0, RoundSettings.of(TIMEOUT));
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");
  private static final Weights START = Driver.weights(0, 0);
  private static final long[] TEN = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

  private static FedAvg fedAvg(int participants, int staleness) {
    return new FedAvg(0, new RoundSettings(TIMEOUT, participants, staleness));
  }

  private static ServerModels models(int round, Weights weights) {
    return new ServerModels(round, List.of(weights), 0);
  }

  private static Effect send(long to, int round, Weights weights) {
    return new Effect.Send(new PeerId(to), models(round, weights));
  }

  private static Effect deadline(int round) {
    return new Effect.SetTimer(new Timer("deadline", round), 600_000_000L);
  }

  private static ClientUpdate update(int round, int number, double samples) {
    return update(round, model(number), samples);
  }

  private static ClientUpdate update(int round, Weights weights, double samples) {
    return new ClientUpdate(round, ModelUpdate.of(new SlotModel(0, weights, samples)), 0);
  }

  private static Effect completed(int round) {
    return new Effect.Observe(new Observation.RoundCompleted(round));
  }

  private static ExpectedMixture mix(int round) {
    return ExpectedMixture.of(round, Weighting.SAMPLES);
  }

  private static List<Long> asked(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).to().number())
        .toList();
  }

  private static Driver startedServer(FedAvg method, long... peers) {
    Driver server = Driver.server(method, peers);
    server.started();
    return server;
  }

  private static Driver startedServer(long... peers) {
    return startedServer(METHOD, peers);
  }

  @Test
  void theServerSendsItsModelToAllClientsAndSetsADeadline() {
    assertThat(Driver.server(METHOD, 0, 1, 2).started())
        .containsExactly(send(0, 1, START), send(1, 1, START), send(2, 1, START), deadline(1));
  }

  @Test
  void updatesAreWeightedBySampleCountsInOrderOfPeers() {
    Driver server = startedServer(0, 1, 2);
    assertThat(server.received(2, update(1, 2, 50))).isEmpty();
    assertThat(server.received(0, update(1, 7, 10))).isEmpty();
    assertThat(server.received(1, update(1, 1, 20)))
        .containsExactly(
            mix(1)
                .from(0, model(7), 0.125, 10)
                .from(1, model(1), 0.25, 20)
                .from(2, model(2), 0.625, 50)
                .effects());
    assertThat(server.mixed(1, model(9)))
        .containsExactly(
            completed(1),
            send(0, 2, model(9)),
            send(1, 2, model(9)),
            send(2, 2, model(9)),
            deadline(2));
  }

  @Test
  void sharesSumToOneForAwkwardCounts() {
    Driver server = startedServer(0, 1, 2);
    server.received(0, update(1, 1, 3));
    server.received(1, update(1, 2, 7));
    List<Effect> effects = server.received(2, update(1, 3, 13));
    Ticket.Mix mix = (Ticket.Mix) ((Effect.Compute) effects.getLast()).work();
    assertThat(mix.mixture().parts().stream().mapToDouble(MixturePart::coefficient).sum())
        .isCloseTo(1, within(1e-15));
    assertThat(mix.mixture().parts().get(1).coefficient()).isEqualTo(7.0 / 23);
  }

  @Test
  void participantsFollowFromSeedServerAndRoundAlone() {
    // The permutation of ten peers computed in Python; first three, ascending.
    for (FedAvg method :
        List.of(fedAvg(3, 0), new FedAvg(5, new RoundSettings(TimeoutPolicy.of(1), 3, 2)))) {
      Driver server = Driver.server(method, TEN);
      assertThat(asked(server.started())).containsExactly(4L, 6L, 9L);
      assertThat(asked(server.timerFired("deadline", 1))).containsExactly(0L, 5L, 7L);
      assertThat(asked(server.timerFired("deadline", 2))).containsExactly(6L, 8L, 9L);
    }
  }

  static List<SharedModelMethod> serverMethodsWithThreeParticipants() {
    RoundSettings three = new RoundSettings(TIMEOUT, 3, 1);
    return List.of(
        new FedAvg(0, three),
        new FedProx(0.1, Aggregation.SERVER, GraphWeights.METROPOLIS, three),
        new PerFedAvg(0.1, Aggregation.SERVER, GraphWeights.METROPOLIS, three),
        new Ifca(2, Aggregation.SERVER, three),
        new FedEm(2, Aggregation.SERVER, three),
        new FedSoft(2, 0.1, 0.01, Aggregation.SERVER, three),
        new PFedMe(15, 0.05, 5, 1, 1, Aggregation.SERVER, three),
        new Ditto(0.1, Aggregation.SERVER, three),
        new PFedGraph(0.8, 0.01, three));
  }

  @ParameterizedTest
  @MethodSource("serverMethodsWithThreeParticipants")
  void everyServerMethodAsksOnlyTheParticipantsAndSendsTheOutcomeToAll(SharedModelMethod method) {
    Driver server = Driver.server(method, TEN);
    assertThat(asked(server.started())).containsExactly(4L, 6L, 9L);
    assertThat(asked(server.timerFired("deadline", 1))).containsExactly(0L, 5L, 7L);
    server.timerFired("deadline", 2);
    assertThat(asked(server.timerFired("deadline", 3))).hasSize(10);
    assertThat(method.staleness()).isEqualTo(1);
  }

  @Test
  void asManyParticipantsAsPeersMeansAllPeers() {
    assertThat(asked(Driver.server(fedAvg(3, 0), 5, 6, 7).started())).containsExactly(5L, 6L, 7L);
  }

  @ParameterizedTest
  @MethodSource("serverMethodsWithThreeParticipants")
  void moreParticipantsThanPeersAreRefused(SharedModelMethod method) {
    assertThatThrownBy(() -> method.check(2))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("method.participants");
              assertThat(invalid.remedy()).contains("at most 2");
            });
    assertThatCode(() -> method.check(3)).doesNotThrowAnyException();
  }

  @Test
  void participantsWithoutAServerAreRefused() {
    Ifca method = new Ifca(2, Aggregation.GRAPH, new RoundSettings(TIMEOUT, 3, 0));
    assertThatThrownBy(() -> method.check(10))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("method.participants");
              assertThat(invalid.remedy()).contains("method.over");
            });
  }

  @Test
  void theServerReportsForClientsThatDoNotReceiveTheNewModel() {
    Driver server = startedServer(fedAvg(3, 0), TEN);
    server.received(4, update(1, 5, 10));
    server.timerFired("deadline", 1);
    List<Long> reported = new ArrayList<>();
    for (Effect effect : server.mixed(1, model(8))) {
      if (effect instanceof Effect.Observe(Observation.ClientDeployed(PeerId client, var each))) {
        assertThat(each).isEqualTo(observed(1, new Predictor.Single(model(8))));
        reported.add(client.number());
      }
    }
    assertThat(reported)
        .as("all but 0, 5 and 7, the participants of round 2")
        .containsExactly(1L, 2L, 3L, 4L, 6L, 8L, 9L);
  }

  @Test
  void theServerReportsTheFineTunedModelOfEachClient() {
    FedAvg method = new FedAvg(7, new RoundSettings(TIMEOUT, 3, 0));
    Driver server = startedServer(method, TEN);
    Predictor adapted =
        new Predictor.Adapted(Driver.TRAINING.withEpochs(7).round(START, new PeerId(2), 1));
    assertThat(server.timerFired("deadline", 1))
        .contains(
            new Effect.Observe(
                new Observation.ClientDeployed(new PeerId(2), observed(1, adapted))));
  }

  private static Observation.Deployed observed(int round, Predictor predictor) {
    return new Observation.Deployed(round, Stage.MIXED, predictor, Audience.SELF);
  }

  @Test
  void theServerReportsForNoClientIfAllReceiveTheModel() {
    Driver server = startedServer(0, 1);
    assertThat(server.timerFired("deadline", 1))
        .containsExactly(completed(1), send(0, 2, START), send(1, 2, START), deadline(2));
  }

  @Test
  void aPollOfAClientThatIsNoParticipantIsNotAnswered() {
    Driver server = startedServer(fedAvg(3, 0), TEN);
    assertThat(server.received(1, new Poll(0))).isEmpty();
    assertThat(server.received(4, new Poll(0))).containsExactly(send(4, 1, START));
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      server.timerFired("deadline", round);
    }
    assertThat(server.received(1, new Poll(0)))
        .as("the final models are for all clients")
        .containsExactly(send(1, Driver.ROUNDS + 1, START));
  }

  @Test
  void updatesOfStrangersOfOtherRoundsAndRepeatedOnesAreCountedAndIgnored() {
    Driver server = startedServer(0, 1);
    server.received(0, update(1, 1, 10));
    Object before = server.state();
    assertThat(server.received(0, update(1, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(77, update(1, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, update(0, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, update(2, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, models(1, model(3)))).containsExactly(UNEXPECTED);
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void updatesThatCannotBeAveragedAreCountedAndIgnored() {
    Driver server = startedServer(0, 1);
    Object before = server.state();
    assertThat(server.received(0, update(1, 1, -5))).containsExactly(UNEXPECTED);
    assertThat(server.received(0, update(1, Driver.weights(1, 2, 3), 5)))
        .containsExactly(UNEXPECTED);
    assertThat(server.received(0, update(1, Driver.weights(Float.NaN, 1), 5)))
        .containsExactly(UNEXPECTED);
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void updatesWithoutAnySampleLeaveTheModelAsItWas() {
    Driver server = startedServer(0);
    assertThat(server.received(0, update(1, 5, 0)))
        .containsExactly(completed(1), send(0, 2, START), deadline(2));
  }

  @Test
  void atTheDeadlineTheServerAveragesTheUpdatesThatHaveArrived() {
    Driver server = startedServer(0, 1, 2);
    server.received(1, update(1, 4, 20));
    assertThat(server.timerFired("deadline", 1))
        .containsExactly(mix(1).from(1, model(4), 1, 20).effects());
    // While the server averages, neither the deadline nor a late update has an effect.
    assertThat(server.timerFired("deadline", 1)).isEmpty();
    assertThat(server.received(0, update(1, 5, 20))).containsExactly(UNEXPECTED);
  }

  @Test
  void aDeadlineOfAnotherRoundIsIgnored() {
    Driver server = startedServer(0, 1);
    assertThat(server.timerFired("deadline", 0)).isEmpty();
    assertThat(server.timerFired("deadline", 2)).isEmpty();
  }

  @Test
  void theServerDoesNotWaitForAClientThatItCannotReach() {
    Driver server = startedServer(0, 1);
    assertThat(server.sendFailed(0, models(1, START))).isEmpty();
    assertThat(server.sendFailed(0, models(1, START))).isEmpty();
    assertThat(server.received(1, update(1, 4, 20)))
        .containsExactly(mix(1).from(1, model(4), 1, 20).effects());
  }

  @Test
  void aSendOfAnEarlierRoundThatFailsLateChangesNothing() {
    Driver server = startedServer(0, 1);
    server.timerFired("deadline", 1);
    Object before = server.state();
    assertThat(server.sendFailed(0, models(1, START))).isEmpty();
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void aRestoredServerAsksOnlyTheClientsThatHaveNotAnswered() {
    Driver server = startedServer(0, 1, 2);
    server.received(1, update(1, 4, 30));
    assertThat(server.restored())
        .containsExactly(send(0, 1, START), send(2, 1, START), deadline(1));
    server.received(0, update(1, 1, 30));
    assertThat(server.received(2, update(1, 2, 60)))
        .containsExactly(
            mix(1)
                .from(0, model(1), 0.25, 30)
                .from(1, model(4), 0.25, 30)
                .from(2, model(2), 0.5, 60)
                .effects());
  }

  @Test
  void aServerRestoredWhileAveragingAveragesAgain() {
    Driver server = startedServer(0);
    List<Effect> average = server.received(0, update(1, 4, 30));
    assertThat(server.restored()).isEqualTo(average);
  }

  @Test
  void theLastRoundEndsTheRun() {
    Driver server = startedServer(0);
    for (int round = 1; round < Driver.ROUNDS; round++) {
      server.received(0, update(round, round, 30));
      server.mixed(round, model(round));
    }
    server.received(0, update(Driver.ROUNDS, 5, 30));
    assertThat(server.mixed(Driver.ROUNDS, model(5)))
        .containsExactly(completed(3), send(0, 4, model(5)));
    assertThat(server.timerFired("deadline", Driver.ROUNDS)).isEmpty();
    assertThat(server.received(0, update(Driver.ROUNDS, 5, 30))).containsExactly(UNEXPECTED);
    assertThat(server.restored()).isEmpty();
  }

  @Test
  void aLateUpdateCountsWithinTheStalenessBoundUntilANewerOneHasArrived() {
    Driver server = startedServer(fedAvg(0, 1), 0, 1);
    server.received(0, update(1, 1, 10));
    server.timerFired("deadline", 1);
    server.mixed(1, model(5));
    assertThat(server.received(1, update(1, 2, 10))).as("of the round before").isEmpty();
    assertThat(server.received(1, update(1, 3, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(0, update(2, 6, 10))).isEmpty();
    assertThat(server.timerFired("deadline", 2))
        .containsExactly(mix(2).from(0, model(6), 0.5, 10).from(1, 1, model(2), 0.5, 10).effects());
    server.mixed(2, model(7));
    assertThat(server.received(1, update(1, 4, 10))).as("too old").containsExactly(UNEXPECTED);
    server.received(1, update(2, 4, 10));
    server.received(1, update(3, 8, 10));
    assertThat(server.received(0, update(3, 9, 10)))
        .as("the newer update of a client takes the place of the older")
        .containsExactly(mix(3).from(0, model(9), 0.5, 10).from(1, model(8), 0.5, 10).effects());
  }

  @Test
  void aLateUpdateOfAClientThatWasNoParticipantIsRefused() {
    Driver server = startedServer(fedAvg(3, 2), TEN);
    server.timerFired("deadline", 1);
    assertThat(server.received(1, update(1, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(4, update(1, 2, 10))).as("a participant of round 1").isEmpty();
  }

  @Test
  void anUpdateIsAveragedOnceHoweverOftenItArrives() {
    Driver server = startedServer(fedAvg(0, 2), 0, 1);
    server.received(0, update(1, 1, 10));
    server.timerFired("deadline", 1);
    server.mixed(1, model(5));
    assertThat(server.received(0, update(1, 1, 10))).containsExactly(UNEXPECTED);
    server.received(1, update(1, 2, 10));
    assertThat(server.timerFired("deadline", 2))
        .containsExactly(mix(2).from(1, 1, model(2), 1, 10).effects());
    server.mixed(2, model(7));
    assertThat(server.received(0, update(1, 1, 10)))
        .as("two rounds later")
        .containsExactly(UNEXPECTED);
    assertThat(server.received(1, update(1, 2, 10)))
        .as("it was late the first time")
        .containsExactly(UNEXPECTED);
    assertThat(server.received(1, update(2, 4, 10))).as("a newer one").isEmpty();
    assertThat(server.timerFired("deadline", 3))
        .containsExactly(mix(3).from(1, 2, model(4), 1, 10).effects());
  }

  @Test
  void theDeadlineFollowsTheLatenciesOfTheUpdatesIfAFactorIsSet() {
    TimeoutPolicy threeMedians = new TimeoutPolicy(600, 3, 0.000_001);
    Driver server = Driver.server(new FedAvg(0, RoundSettings.of(threeMedians)), 0, 1, 2);
    assertThat(server.started()).contains(deadline(1));
    server.received(0, update(1, 1, 10));
    server.received(1, update(1, 1, 10));
    server.received(2, update(1, 1, 10));
    // Updates took 1, 2 and 3 ticks: three times the median of 2.
    assertThat(server.mixed(1, model(5)))
        .contains(new Effect.SetTimer(new Timer("deadline", 2), 6));
  }
}
