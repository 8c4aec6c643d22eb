package io.kindred.methods.averaging;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.FedAvg.ClientState;
import io.kindred.methods.averaging.FedAvg.GlobalModel;
import io.kindred.methods.averaging.FedAvg.LocalModel;
import io.kindred.methods.averaging.FedAvg.ServerState;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FedAvgTest {
  private static final FedAvg METHOD = new FedAvg(0, 0, TimeoutPolicy.of(600), 0);
  private static final Weights START = Driver.weights(0, 0);
  private static final Effect UNEXPECTED = Driver.counted("unexpected-message");

  private static Effect send(long to, int round, Weights weights) {
    return new Effect.Send(new PeerId(to), new GlobalModel(round, weights));
  }

  private static Effect deadline(int round) {
    return new Effect.SetTimer(new Timer("deadline", round), 600_000_000L);
  }

  private static LocalModel reply(int round, int number, long samples) {
    return new LocalModel(round, model(number), samples, 0);
  }

  private static Effect deployed(int round, Weights weights) {
    return Driver.deployed(round, Stage.MIXED, weights, Audience.EVERYONE);
  }

  private static Effect mix(int round, MixturePart... parts) {
    return new Effect.Compute(round, new Ticket.Mix(new Mixture(List.of(parts))));
  }

  private static List<Long> asked(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).to().number())
        .toList();
  }

  private static Driver startedServer(long... peers) {
    Driver server = Driver.server(METHOD, peers);
    server.started();
    return server;
  }

  @Test
  void theServerAsksEverybodyAndSetsADeadline() {
    assertThat(Driver.server(METHOD, 0, 1, 2).started())
        .containsExactly(send(0, 1, START), send(1, 1, START), send(2, 1, START), deadline(1));
  }

  @Test
  void repliesAreWeightedBySampleCountsInOrderOfPeers() {
    Driver server = startedServer(0, 1, 2);
    assertThat(server.received(2, reply(1, 2, 50))).isEmpty();
    assertThat(server.received(0, reply(1, 7, 10))).isEmpty();
    assertThat(server.received(1, reply(1, 1, 20)))
        .containsExactly(
            mix(
                1,
                new MixturePart(model(7), 0.125),
                new MixturePart(model(1), 0.25),
                new MixturePart(model(2), 0.625)));
    assertThat(server.mixed(1, model(9)))
        .containsExactly(
            deployed(1, model(9)),
            send(0, 2, model(9)),
            send(1, 2, model(9)),
            send(2, 2, model(9)),
            deadline(2));
    assertThat(server.state())
        .isEqualTo(
            new ServerState(
                2,
                model(9),
                Driver.ids(0, 1, 2),
                List.of(),
                4,
                List.of(1L, 2L, 3L),
                new TreeMap<>()));
  }

  @Test
  void participantsFollowFromSeedServerAndRoundAlone() {
    // The permutation of ten peers computed in Python; first three, ascending.
    long[] peers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (FedAvg method :
        List.of(
            new FedAvg(3, 0, TimeoutPolicy.of(600), 0), new FedAvg(3, 5, TimeoutPolicy.of(1), 0))) {
      Driver server = Driver.server(method, peers);
      assertThat(asked(server.started())).containsExactly(4L, 6L, 9L);
      assertThat(asked(server.timerFired("deadline", 1))).containsExactly(0L, 5L, 7L);
      assertThat(asked(server.timerFired("deadline", 2))).containsExactly(6L, 8L, 9L);
    }
  }

  @Test
  void asManyParticipantsAsPeersIsEverybody() {
    assertThat(asked(Driver.server(new FedAvg(3, 0, TimeoutPolicy.of(1), 0), 5, 6, 7).started()))
        .containsExactly(5L, 6L, 7L);
  }

  @Test
  void strangersLateAndRepeatedRepliesAreCountedAndIgnored() {
    Driver server = startedServer(0, 1);
    server.received(0, reply(1, 1, 10));
    Object before = server.state();
    assertThat(server.received(0, reply(1, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(77, reply(1, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, reply(0, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, reply(2, 2, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(1, new GlobalModel(1, model(3)))).containsExactly(UNEXPECTED);
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void repliesThatCannotBeAveragedAreCountedAndIgnored() {
    Driver server = startedServer(0, 1);
    Object before = server.state();
    assertThat(server.received(0, reply(1, 1, -5))).containsExactly(UNEXPECTED);
    assertThat(server.received(0, new LocalModel(1, Driver.weights(1, 2, 3), 5, 0)))
        .containsExactly(UNEXPECTED);
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void repliesWithoutAnySampleLeaveTheModelAsItWas() {
    Driver server = startedServer(0);
    assertThat(server.received(0, reply(1, 5, 0)))
        .startsWith(deployed(1, START), send(0, 2, START));
  }

  @Test
  void atTheDeadlineTheServerGoesOnWithWhatItHas() {
    Driver server = startedServer(0, 1, 2);
    server.received(1, reply(1, 4, 20));
    assertThat(server.timerFired("deadline", 1))
        .containsExactly(mix(1, new MixturePart(model(4), 1)));
    // While the server averages, neither the deadline nor a late reply has an effect.
    assertThat(server.timerFired("deadline", 1)).isEmpty();
    assertThat(server.received(0, reply(1, 5, 20))).containsExactly(UNEXPECTED);
  }

  @Test
  void aDeadlineOfAnotherRoundIsIgnored() {
    Driver server = startedServer(0, 1);
    assertThat(server.timerFired("deadline", 0)).isEmpty();
    assertThat(server.timerFired("deadline", 2)).isEmpty();
  }

  @Test
  void aRoundWithoutRepliesDeploysTheModelAgain() {
    Driver server = startedServer(0);
    assertThat(server.timerFired("deadline", 1))
        .containsExactly(deployed(1, START), send(0, 2, START), deadline(2));
  }

  @Test
  void nobodyWaitsForAPeerThatCouldNotBeReached() {
    Driver server = startedServer(0, 1);
    assertThat(server.sendFailed(0, new GlobalModel(1, START))).isEmpty();
    assertThat(server.sendFailed(0, new GlobalModel(1, START))).isEmpty();
    assertThat(server.received(1, reply(1, 4, 20)))
        .containsExactly(mix(1, new MixturePart(model(4), 1)));
  }

  @Test
  void aMessageOfAnEarlierRoundThatFailsLateDropsNobody() {
    Driver server = startedServer(0, 1);
    server.timerFired("deadline", 1);
    Object before = server.state();
    assertThat(server.sendFailed(0, new GlobalModel(1, START))).isEmpty();
    assertThat(server.state()).isEqualTo(before);
  }

  @Test
  void aRestoredServerAsksOnlyThoseWhoHaveNotAnswered() {
    Driver server = startedServer(0, 1, 2);
    server.received(1, reply(1, 4, 30));
    assertThat(server.restored())
        .containsExactly(send(0, 1, START), send(2, 1, START), deadline(1));
    server.received(0, reply(1, 1, 30));
    assertThat(server.received(2, reply(1, 2, 60)))
        .containsExactly(
            mix(
                1,
                new MixturePart(model(1), 0.25),
                new MixturePart(model(4), 0.25),
                new MixturePart(model(2), 0.5)));
  }

  @Test
  void aServerRestoredWhileAveragingAveragesAgain() {
    Driver server = startedServer(0);
    List<Effect> average = server.received(0, reply(1, 4, 30));
    assertThat(server.restored()).isEqualTo(average);
  }

  @Test
  void theLastRoundEndsTheRun() {
    Driver server = startedServer(0);
    for (int round = 1; round < Driver.ROUNDS; round++) {
      server.received(0, reply(round, round, 30));
      server.mixed(round, model(round));
    }
    server.received(0, reply(Driver.ROUNDS, 5, 30));
    assertThat(server.mixed(Driver.ROUNDS, model(5))).containsExactly(deployed(3, model(5)));
    assertThat(server.timerFired("deadline", Driver.ROUNDS)).isEmpty();
    assertThat(server.received(0, reply(Driver.ROUNDS, 5, 30))).containsExactly(UNEXPECTED);
    assertThat(server.restored()).isEmpty();
  }

  @Test
  void withFineTuningTheModelIsDeployedAdapted() {
    Driver server = Driver.server(new FedAvg(0, 7, TimeoutPolicy.of(600), 0), 0);
    server.started();
    List<Effect> effects = server.timerFired("deadline", 1);
    Observation.Deployed deployed =
        (Observation.Deployed) ((Effect.Observe) effects.getFirst()).observation();
    Predictor.Adapted adapted = (Predictor.Adapted) deployed.predictor();
    assertThat(adapted.adaptation())
        .isEqualTo(Driver.TRAINING.withEpochs(7).round(START, Driver.SERVER, 1));
  }

  @Test
  void aClientTrainsWhatTheServerSendsAndSendsItBack() {
    Driver client = Driver.peer(METHOD, 4);
    assertThat(client.started(1, 2)).isEmpty();
    Effect train = new Effect.Compute(2, Driver.TRAINING.round(model(1), new PeerId(4), 2));
    assertThat(client.received(10, new GlobalModel(2, model(1)))).containsExactly(train);
    assertThat(client.state()).isEqualTo(new ClientState(2, Optional.of(model(1)), false));
    assertThat(client.restored()).containsExactly(train);
    assertThat(client.trained(2, model(3)))
        .containsExactly(
            Driver.deployed(2, Stage.TRAINED, model(3), Audience.SELF),
            new Effect.Send(Driver.SERVER, new LocalModel(2, model(3), Driver.SAMPLES, 0)));
    assertThat(client.restored()).isEmpty();
  }

  @Test
  void aServerThatComesBackIsAnsweredAgain() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, new GlobalModel(2, model(1)));
    client.trained(2, model(3));
    assertThat(client.received(10, new GlobalModel(2, model(1))))
        .containsExactly(new Effect.Compute(2, Driver.TRAINING.round(model(1), new PeerId(4), 2)));
    assertThat(client.trained(2, model(3)))
        .as("it was deployed before")
        .containsExactly(
            new Effect.Send(Driver.SERVER, new LocalModel(2, model(3), Driver.SAMPLES, 0)));
  }

  @Test
  void aClientIgnoresWhatIsNotForIt() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, new GlobalModel(2, model(1)));
    assertThat(client.received(10, new GlobalModel(2, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(10, new GlobalModel(1, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(3, new GlobalModel(3, model(1)))).containsExactly(UNEXPECTED);
    assertThat(client.received(10, reply(3, 1, 5))).containsExactly(UNEXPECTED);
    client.ignoresTheRest(
        new Event.SendFailed(1, Driver.SERVER, reply(1, 1, 1)),
        new Event.TimerFired(1, new Timer("deadline", 2)),
        new Event.NeighboursChanged(1, List.of()),
        new Event.LeaveRequested(1));
  }

  @Test
  void aNewerRequestOvertakesTheTrainingOfAnOlderOne() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, new GlobalModel(1, model(1)));
    assertThat(client.received(10, new GlobalModel(2, model(2)))).hasSize(1);
    assertThat(client.trained(1, model(8))).isEmpty();
    assertThat(client.trained(2, model(9))).hasSize(2);
  }

  @Test
  void sharesSumToOneForAwkwardCounts() {
    Driver server = startedServer(0, 1, 2);
    server.received(0, reply(1, 1, 3));
    server.received(1, reply(1, 2, 7));
    List<Effect> effects = server.received(2, reply(1, 3, 13));
    Ticket.Mix mix = (Ticket.Mix) ((Effect.Compute) effects.getFirst()).work();
    assertThat(mix.mixture().parts().stream().mapToDouble(MixturePart::coefficient).sum())
        .isCloseTo(1, within(1e-15));
    assertThat(mix.mixture().parts().get(1).coefficient()).isEqualTo(7.0 / 23);
  }

  @Test
  void moreParticipantsThanPeersAreRefused() {
    assertThatThrownBy(() -> new FedAvg(5, 0, TimeoutPolicy.of(600), 0).check(4))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("method.participants");
              assertThat(invalid.remedy()).contains("at most 4");
            });
    assertThatCode(() -> new FedAvg(4, 0, TimeoutPolicy.of(600), 0).check(4))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsNotANumberIsRefused() {
    Driver server = startedServer(0, 1);
    LocalModel broken = new LocalModel(1, Driver.weights(Float.NaN, 1), 5, 0);
    assertThat(server.received(0, broken)).containsExactly(UNEXPECTED);
    Driver client = Driver.peer(METHOD, 4);
    assertThat(client.received(10, new GlobalModel(1, Driver.weights(1, Float.POSITIVE_INFINITY))))
        .containsExactly(UNEXPECTED);
  }

  @Test
  void aModelThatDidNotArriveIsSentAgainAFewTimes() {
    Driver client = Driver.peer(METHOD, 4);
    client.received(10, new GlobalModel(1, model(1)));
    List<Effect> sent = client.trained(1, model(2));
    LocalModel model = (LocalModel) ((Effect.Send) sent.getLast()).message();
    int attempts = 0;
    for (List<Effect> again = client.sendFailed(10, model);
        !again.isEmpty();
        again = client.sendFailed(10, model)) {
      model = (LocalModel) ((Effect.Send) again.getFirst()).message();
      assertThat(model.attempt()).isEqualTo(++attempts);
    }
    assertThat(attempts).isEqualTo(5);
  }

  @Test
  void aLateReplyCountsWithinTheStalenessBoundUntilANewerOneIsIn() {
    Driver server = Driver.server(new FedAvg(0, 0, TimeoutPolicy.of(600), 1), 0, 1);
    server.started();
    server.received(0, reply(1, 1, 10));
    server.timerFired("deadline", 1);
    server.mixed(1, model(5));
    assertThat(server.received(1, reply(1, 2, 10))).as("of the round before").isEmpty();
    assertThat(server.received(1, reply(1, 3, 10))).containsExactly(UNEXPECTED);
    assertThat(server.received(0, reply(2, 6, 10))).isEmpty();
    assertThat(server.timerFired("deadline", 2))
        .containsExactly(mix(2, new MixturePart(model(6), 0.5), new MixturePart(model(2), 0.5)));
    server.mixed(2, model(7));
    assertThat(server.received(1, reply(1, 4, 10))).as("too old").containsExactly(UNEXPECTED);
    server.received(1, reply(2, 4, 10));
    server.received(1, reply(3, 8, 10));
    assertThat(server.received(0, reply(3, 9, 10)))
        .as("the newer reply of a peer takes the place of the older")
        .containsExactly(mix(3, new MixturePart(model(9), 0.5), new MixturePart(model(8), 0.5)));
  }

  @Test
  void anAnswerIsAveragedOnceHoweverOftenItComes() {
    Driver server = Driver.server(new FedAvg(0, 0, TimeoutPolicy.of(600), 2), 0, 1);
    server.started();
    server.received(0, reply(1, 1, 10));
    server.timerFired("deadline", 1);
    server.mixed(1, model(5));
    assertThat(server.received(0, reply(1, 1, 10))).containsExactly(UNEXPECTED);
    server.received(1, reply(1, 2, 10));
    assertThat(server.timerFired("deadline", 2))
        .containsExactly(mix(2, new MixturePart(model(2), 1)));
    server.mixed(2, model(7));
    assertThat(server.received(0, reply(1, 1, 10)))
        .as("two rounds later")
        .containsExactly(UNEXPECTED);
    assertThat(server.received(1, reply(1, 2, 10)))
        .as("it was late the first time")
        .containsExactly(UNEXPECTED);
    assertThat(server.received(1, reply(2, 4, 10))).as("a newer one").isEmpty();
    assertThat(server.timerFired("deadline", 3))
        .containsExactly(mix(3, new MixturePart(model(4), 1)));
  }

  @Test
  void theDeadlineFollowsTheAnswersWhereAsked() {
    Driver server =
        Driver.server(new FedAvg(0, 0, new TimeoutPolicy(600, 3, 0.000_001), 0), 0, 1, 2);
    assertThat(server.started()).contains(deadline(1));
    server.received(0, reply(1, 1, 10));
    server.received(1, reply(1, 1, 10));
    server.received(2, reply(1, 1, 10));
    // Answers took 1, 2 and 3 ticks: three times the median of 2.
    assertThat(server.mixed(1, model(5)))
        .contains(new Effect.SetTimer(new Timer("deadline", 2), 6));
  }
}
