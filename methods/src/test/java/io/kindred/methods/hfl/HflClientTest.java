package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.counted;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.hfl.HflTest.FIRST;
import static io.kindred.methods.hfl.HflTest.method;
import static io.kindred.methods.hfl.HflTest.only;
import static io.kindred.methods.hfl.HflTest.sent;
import static io.kindred.methods.hfl.HflTest.usual;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.hfl.HflMessage.Assignment;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.ClusterModel;
import io.kindred.methods.hfl.HflMessage.Outcome;
import io.kindred.methods.hfl.HflMessage.SubmitReport;
import io.kindred.methods.hfl.HflMessage.Update;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A client alone, as a member and as a head. */
class HflClientTest {
  @Test
  void clientMeasuresItsSpeedAndReportsItsLabels() {
    Driver client = Driver.peer(usual(), 0);
    client.started(1);
    client.feed(new Event.LinkMeasured(0, new PeerId(1), 250, 1, 0));

    Effect.Compute probe =
        only(Effect.Compute.class, client.received(SERVER.number(), new Begin(FIRST, model(0))));
    List<Effect> reported =
        client.feed(
            new Event.Computed(2_000_000 + 2, probe.ticket(), new Result.Trained(model(9), 1, 5)));

    ClientReport report = ((SubmitReport) sent(reported).getFirst()).report();
    assertThat(report.featureRow()).isEqualTo(Floats.of(20, 10));
    // Five steps took two seconds; two epochs of 30 samples in batches of 8 are eight steps.
    assertThat(report.steps()).isEqualTo(8);
    assertThat(report.trainingSeconds()).isBetween(3.1, 3.3);
    assertThat(report.links()).containsExactly(new ClientReport.Throughput(new PeerId(1), 250));
  }

  /** A head with one other member, both with an update time of a second, after its own training. */
  private static Driver head() {
    Driver head = Driver.peer(usual(), 0);
    head.started(1);
    Effect.Compute probe =
        only(Effect.Compute.class, head.received(SERVER.number(), new Begin(FIRST, model(0))));
    head.trained(probe.ticket(), model(9));
    Effect.Compute training =
        only(
            Effect.Compute.class,
            head.received(
                SERVER.number(),
                new Assignment(
                    FIRST,
                    0,
                    new PeerId(0),
                    Optional.empty(),
                    2,
                    List.of(
                        new FormClusters.Member(new PeerId(0), 10, 1, 0),
                        new FormClusters.Member(new PeerId(1), 30, 1, 0)))));
    assertThat(((Ticket.Train) training.work()).from()).isEqualTo(model(0));
    assertThat(head.trained(training.ticket(), model(1))).isEmpty();
    return head;
  }

  @Test
  void headAveragesItsClusterAndHandsItBack() {
    Driver head = head();

    Effect.Compute mixing =
        only(Effect.Compute.class, head.received(1, new Update(FIRST, 0, model(5), -1, 0)));
    assertThat(((Ticket.Mix) mixing.work()).mixture().parts())
        .containsExactly(new MixturePart(model(1), 0.25), new MixturePart(model(5), 0.75));
    assertThat(head.received(1, new Update(FIRST, 0, model(5), -1, 1)))
        .containsExactly(counted("unexpected-message"));

    List<Effect> next = head.mixed(1, model(4));
    assertThat(sent(next)).containsExactly(new ClusterModel(FIRST, 1, model(4), 2));
    Effect.Compute training = only(Effect.Compute.class, next);
    head.trained(training.ticket(), model(2));
    head.received(1, new Update(FIRST, 1, model(6), -1, 0));
    assertThat(sent(head.mixed(1, model(3))))
        .containsExactly(new Outcome(FIRST, 0, model(3), Driver.ids(0, 1), List.of(), 0));
  }

  @Test
  void headReportsAMemberThatAnswersFarLaterThanItSaid() {
    for (HflMessage late :
        List.of(new Update(FIRST, 0, model(5), -1, 0), new HflMessage.Behind(FIRST, 0))) {
      Driver head = headAfterTimeout();
      assertThat(head.received(1, late)).isEmpty();

      Outcome outcome = outcomeOfStepOne(head);

      assertThat(outcome.slow()).containsExactly(new PeerId(1));
      assertThat(outcome.from()).containsExactly(new PeerId(0), new PeerId(1));
    }
  }

  @Test
  void headDoesNotReportAMemberThatCrashedOrLostItsConnection() {
    assertThat(outcomeOfStepOne(headAfterTimeout()).slow()).isEmpty();

    Driver head = headAfterTimeout();
    // The member had to send its model twice, so it is late because of its connection.
    assertThat(head.received(1, new Update(FIRST, 0, model(5), -1, 1)))
        .containsExactly(counted("unexpected-message"));
    assertThat(outcomeOfStepOne(head).slow()).isEmpty();
  }

  /** A head whose other member did not answer in step 0; step 1 has begun. */
  private static Driver headAfterTimeout() {
    Driver head = head();
    long timerNumber =
        HflTest.client(head).membership().orElseThrow().headState().orElseThrow().timerNumber();

    Effect.Compute mixing = only(Effect.Compute.class, head.timerFired("step", timerNumber));
    assertThat(((Ticket.Mix) mixing.work()).mixture().parts())
        .containsExactly(new MixturePart(model(1), 1));
    Effect.Compute training = only(Effect.Compute.class, head.mixed(1, model(4)));
    head.trained(training.ticket(), model(2));
    return head;
  }

  private static Outcome outcomeOfStepOne(Driver head) {
    head.received(1, new Update(FIRST, 1, model(6), -1, 0));
    return (Outcome) sent(head.mixed(1, model(3))).getFirst();
  }

  @Test
  void memberThatIsOvertakenWhileItTrainsSaysSo() {
    Driver member = Driver.peer(usual(), 1);
    member.started(0);
    Effect.Compute probe =
        only(Effect.Compute.class, member.received(SERVER.number(), new Begin(FIRST, model(0))));
    member.trained(probe.ticket(), model(9));
    Assignment assignment = new Assignment(FIRST, 0, new PeerId(0), Optional.empty(), 3, List.of());
    Effect.Compute training =
        only(Effect.Compute.class, member.received(SERVER.number(), assignment));

    assertThat(sent(member.received(0, new ClusterModel(FIRST, 1, model(2), -1))))
        .containsExactly(new HflMessage.Behind(FIRST, 0));
    Effect.Compute next =
        only(Effect.Compute.class, member.received(0, new ClusterModel(FIRST, 2, model(3), -1)));
    assertThat(next.ticket()).isNotEqualTo(training.ticket());
    member.trained(next.ticket(), model(4));
  }

  @Test
  void clientReportsTheGlobalModelOfEachRoundOnceAndTheLastOneToo() {
    Driver client = Driver.peer(usual(), 0);
    client.started(1);
    client.received(SERVER.number(), new Begin(FIRST, model(0)));

    assertThat(client.received(SERVER.number(), new Begin(new RoundAttempt(0, 2, 50), model(4))))
        .contains(deployedModel(1, 4));
    assertThat(client.received(SERVER.number(), new Begin(new RoundAttempt(0, 2, 90), model(4))))
        .doesNotContain(deployedModel(1, 4));
    HflMessage.FinalModel last = new HflMessage.FinalModel(new RoundAttempt(0, 3, 99), model(6));
    assertThat(client.received(1, last)).containsExactly(counted("unexpected-message"));
    assertThat(client.received(SERVER.number(), last)).containsExactly(deployedModel(3, 6));
    assertThat(client.received(SERVER.number(), last))
        .containsExactly(counted("unexpected-message"));
    assertThat(client.restored(1)).isEmpty();
  }

  private static Effect deployedModel(int round, int model) {
    return Driver.deployed(round, Observation.Stage.MIXED, model(model), Observation.Audience.SELF);
  }

  @Test
  void clientThatReturnsAsksForTheFinalModelUntilTheCoordinatorIsReached() {
    Driver client = Driver.peer(usual(), 0);
    assertThat(sent(client.started(1))).containsExactly(new HflMessage.AskForModel());
    client.sendFailed(SERVER.number(), new HflMessage.AskForModel());
    assertThat(sent(client.timerFired("ask", 0))).containsExactly(new HflMessage.AskForModel());
    assertThat(sent(client.restored(1))).containsExactly(new HflMessage.AskForModel());
  }

  @Test
  void bothEndsMeasureTheirLinkByTheModelsThatTheyExchange() {
    // Two weights are eight bytes. The ticks of this test are seconds.
    long second = Ticks.ofSeconds(1);
    Driver member = Driver.peer(usual(), 1);
    member.started(0);
    member.feed(new Event.LinkMeasured(0, new PeerId(0), 12, 1, 0));
    Effect.Compute probe =
        only(Effect.Compute.class, member.received(SERVER.number(), new Begin(FIRST, model(0))));
    member.trained(probe.ticket(), model(9));
    Effect.Compute training =
        only(
            Effect.Compute.class,
            member.received(
                SERVER.number(),
                new Assignment(FIRST, 0, new PeerId(0), Optional.empty(), 3, List.of())));
    member.feed(
        new Event.Computed(10 * second, training.ticket(), new Result.Trained(model(1), 1, 5)));
    // Sixteen bytes in seven seconds, of which the head held the model three: four a second.
    Effect.Compute next =
        only(
            Effect.Compute.class,
            member.feed(
                new Event.Received(
                    17 * second, new PeerId(0), new ClusterModel(FIRST, 1, model(2), 3 * second))));
    assertThat(links(member)).containsExactly(Map.entry(new PeerId(0), 8.0));

    List<Effect> update =
        member.feed(
            new Event.Computed(22 * second, next.ticket(), new Result.Trained(model(1), 1, 5)));
    assertThat(((Update) sent(update).getFirst()).heldTicks()).isEqualTo(5 * second);
  }

  private static Set<Map.Entry<PeerId, Double>> links(Driver client) {
    return HflTest.client(client).links().entrySet();
  }

  @Test
  void linkThatIsNotMeasuredIsNotReported() {
    Driver client = Driver.peer(usual(), 0);
    client.started(1, 2);
    client.feed(new Event.LinkMeasured(0, new PeerId(2), 250, 1, 0));
    Effect.Compute probe =
        only(Effect.Compute.class, client.received(SERVER.number(), new Begin(FIRST, model(0))));

    List<Effect> reported = client.trained(probe.ticket(), model(9));

    assertThat(((SubmitReport) sent(reported).getFirst()).report().links())
        .containsExactly(new ClientReport.Throughput(new PeerId(2), 250));
  }

  @Test
  void headThatCrashedHasNoClusterAnyMore() {
    Driver head = head();

    assertThat(sent(head.restored(1))).containsExactly(new HflMessage.AskForModel());

    assertThat(head.received(1, new Update(FIRST, 0, model(5), -1, 0)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void clusterStartsFromTheFeaturesModelOrFromTheGlobalOne() {
    for (Hfl.Start start : Hfl.Start.values()) {
      Driver client = Driver.peer(method(Hfl.Feature.DIFFERENCE, start), 1);
      client.started(0);
      Effect.Compute feature =
          only(Effect.Compute.class, client.received(SERVER.number(), new Begin(FIRST, model(0))));
      Effect.Compute taking =
          only(Effect.Compute.class, client.trained(feature.ticket(), model(9)));
      Weights direction = model(9);
      client.feed(
          new Event.Computed(
              9,
              taking.ticket(),
              new Result.Answered(
                  new ExtractFeature.Feature(Optional.of(direction), Floats.of()))));

      Effect.Compute training =
          only(
              Effect.Compute.class,
              client.received(
                  SERVER.number(),
                  new Assignment(FIRST, 0, new PeerId(0), Optional.empty(), 1, List.of())));

      assertThat(((Ticket.Train) training.work()).from())
          .isEqualTo(start == Hfl.Start.FEATURE ? model(9) : model(0));
      List<Effect> done = client.trained(training.ticket(), model(3));
      assertThat(sent(done)).containsExactly(new Update(FIRST, 0, model(3), -1, 0));
      assertThat(done)
          .contains(
              Driver.deployed(1, Observation.Stage.TRAINED, model(3), Observation.Audience.SELF));
    }
  }
}
