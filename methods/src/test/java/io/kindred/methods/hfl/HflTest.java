package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.counted;
import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.HflMessage.Assignment;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.ClusterModel;
import io.kindred.methods.hfl.HflMessage.Outcome;
import io.kindred.methods.hfl.HflMessage.SubmitReport;
import io.kindred.methods.hfl.HflMessage.Update;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HflTest {
  private static final RoundAttempt FIRST = new RoundAttempt(1, 0);

  private static final LinkHistory LINKS = LinkHistory.empty(4, 3);

  private static Hfl method(Hfl.Feature feature, Hfl.Start start) {
    return new Hfl(
        new FormationSettings(
            2,
            1,
            0,
            FormationSettings.Algorithm.SWAP,
            new SwapSettings(
                SwapCriteria.Solution.PAIR,
                0,
                5,
                SwapSettings.Choice.RANDOM,
                SwapSettings.Start.RANDOM,
                1),
            new SpectralSettings(1, 1, 1, 0)),
        feature,
        List.of(),
        1,
        start,
        Hfl.Weighting.SAMPLES,
        30,
        0,
        2,
        2,
        10,
        4,
        3,
        false,
        TimeoutPolicy.of(600));
  }

  static Hfl usual() {
    return method(Hfl.Feature.SKEW, Hfl.Start.GLOBAL);
  }

  private static ClientReport report(long from, long samples, double seconds) {
    return new ClientReport(
        new PeerId(from),
        samples,
        seconds,
        4,
        List.of(
            new ClientReport.Throughput(new PeerId(0), 100),
            new ClientReport.Throughput(new PeerId(1), 100)),
        Optional.empty(),
        Floats.of(1, (float) from),
        Optional.empty());
  }

  private static <T> T only(Class<T> type, List<Effect> effects) {
    List<T> found = effects.stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<Object> sent(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .<Object>map(each -> ((Effect.Send) each).message())
        .toList();
  }

  /** Two clusters of one client each. */
  private static FormClusters.FormedClusters alone() {
    return new FormClusters.FormedClusters(
        List.of(
            new FormClusters.ClusterPlan(
                new PeerId(0),
                List.of(new FormClusters.Member(new PeerId(0), 10, 5, 0)),
                Optional.empty(),
                2,
                0.1,
                5),
            new FormClusters.ClusterPlan(
                new PeerId(1),
                List.of(new FormClusters.Member(new PeerId(1), 30, 5, 0)),
                Optional.empty(),
                2,
                0.2,
                5)),
        List.of(),
        LINKS,
        Optional.empty(),
        0.3,
        6,
        Optional.empty());
  }

  private static List<Effect> answered(
      Driver driver, long ticket, FormClusters.FormedClusters formedClusters) {
    return driver.feed(new Event.Computed(100, ticket, new Result.Answered(formedClusters)));
  }

  @Test
  void goesThroughTheFourStagesOfARound() {
    Driver coordinator = Driver.server(usual(), 0, 1);

    List<Effect> begun = coordinator.started();
    assertThat(sent(begun)).hasSize(2).allMatch(Begin.class::isInstance);

    assertThat(coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0))).isEmpty();
    Effect.Compute forming =
        only(
            Effect.Compute.class,
            coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0)));
    assertThat(((Ticket.Call) forming.work()).function()).isInstanceOf(FormClusters.class);

    List<Effect> assigned = answered(coordinator, 1, alone());
    assertThat(sent(assigned)).hasSize(2).allMatch(Assignment.class::isInstance);

    coordinator.received(0, new Outcome(FIRST, 0, model(4), Driver.ids(0), List.of(), 0));
    Effect.Compute mixing =
        only(
            Effect.Compute.class,
            coordinator.received(1, new Outcome(FIRST, 1, model(8), Driver.ids(1), List.of(), 0)));
    // By samples: ten against thirty.
    assertThat(((Ticket.Mix) mixing.work()).mixture().parts())
        .containsExactly(new MixturePart(model(4), 0.25), new MixturePart(model(8), 0.75));

    List<Effect> deployed = coordinator.mixed(1, model(7));
    assertThat(deployed)
        .contains(new Effect.Observe(new Observation.RoundCompleted(1)))
        .contains(new Effect.Observe(new Observation.Measured(1, "clusters", 2)))
        .contains(new Effect.Observe(new Observation.Measured(1, "roundTime", 5)));
    assertThat(((Begin) sent(deployed).getFirst()).roundAttempt().round()).isEqualTo(2);
  }

  @Test
  void whatIsSaidTwiceCountsOnce() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0));
    assertThat(coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 1)))
        .containsExactly(counted("unexpected-message"));
    coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0));
    answered(coordinator, 1, alone());
    Outcome outcome = new Outcome(FIRST, 0, model(4), Driver.ids(0), List.of(), 0);
    coordinator.received(0, outcome);

    assertThat(coordinator.received(0, outcome)).containsExactly(counted("unexpected-message"));
  }

  @Test
  void roundWithoutClustersLeavesTheModelAndGoesOn() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0));
    coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0));

    List<Effect> effects =
        answered(
            coordinator,
            1,
            new FormClusters.FormedClusters(
                List.of(), List.of(), LINKS, Optional.of("none"), 0, 0, Optional.empty()));

    assertThat(effects)
        .contains(counted("no-clustering"))
        .contains(new Effect.Observe(new Observation.RoundCompleted(1)));
    assertThat(((Begin) sent(effects).getFirst()).model()).isEqualTo(model(0));
  }

  @Test
  void clusterThatIsNotHeardOfIsLeftOut() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0));
    coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0));
    answered(coordinator, 1, alone());
    coordinator.received(0, new Outcome(FIRST, 0, model(4), Driver.ids(0), List.of(), 0));

    List<Effect> late = coordinator.timerFired("clusters", 0);

    assertThat(late).contains(counted("cluster-missing"));
    assertThat(((Ticket.Mix) only(Effect.Compute.class, late).work()).mixture().parts())
        .containsExactly(new MixturePart(model(4), 1));
  }

  @Test
  void clusterWhoseDeputyTookOverCountsOnce() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0));
    coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0));
    FormClusters.Member first = new FormClusters.Member(new PeerId(0), 10, 5, 0);
    FormClusters.Member second = new FormClusters.Member(new PeerId(1), 30, 5, 0);
    FormClusters.FormedClusters one =
        new FormClusters.FormedClusters(
            List.of(
                new FormClusters.ClusterPlan(
                    new PeerId(0),
                    List.of(first, second),
                    Optional.of(new FormClusters.Deputy(new PeerId(1), List.of(second))),
                    2,
                    0.1,
                    5)),
            List.of(),
            LINKS,
            Optional.empty(),
            0.3,
            6,
            Optional.empty());
    Assignment toHead = (Assignment) sent(answered(coordinator, 1, one)).getFirst();
    assertThat(coordinator.sendFailed(0, toHead)).isEmpty();

    List<Effect> finished =
        coordinator.received(1, new Outcome(FIRST, 0, model(4), Driver.ids(1), List.of(), 0));

    assertThat(((Ticket.Mix) only(Effect.Compute.class, finished).work()).mixture().parts())
        .containsExactly(new MixturePart(model(4), 1));
    assertThat(
            coordinator.received(0, new Outcome(FIRST, 0, model(5), Driver.ids(0), List.of(), 0)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void restartedCoordinatorBeginsItsRoundAnewAndKnowsNothingOfTheAttemptBefore() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    coordinator.received(0, new SubmitReport(FIRST, report(0, 10, 5), 0));

    List<Effect> again = coordinator.restored();

    Begin begin = (Begin) sent(again).getFirst();
    assertThat(begin.roundAttempt().round()).isEqualTo(1);
    assertThat(begin.roundAttempt().isNewerThan(FIRST)).isTrue();
    assertThat(coordinator.received(1, new SubmitReport(FIRST, report(1, 30, 5), 0)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void clientReportedSlowTooOftenIsNotAskedAgain() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    for (int round = 1; round <= 2; round++) {
      RoundAttempt now = ((HflState.CoordinatorState) coordinator.state()).roundAttempt();
      coordinator.received(0, new SubmitReport(now, report(0, 10, 5), 0));
      coordinator.received(1, new SubmitReport(now, report(1, 30, 5), 0));
      answered(coordinator, round, alone());
      coordinator.received(0, new Outcome(now, 0, model(4), Driver.ids(0), List.of(), 0));
      coordinator.received(1, new Outcome(now, 1, model(8), Driver.ids(1), Driver.ids(1), 0));
      List<Effect> next = coordinator.mixed(round, model(7));
      assertThat(sent(next)).hasSize(round == 1 ? 2 : 1);
    }
  }

  @Test
  void strikesExpireSoThatAnExcludedClientReturns() {
    Hfl forgiving = HflBuilder.from(usual()).strikes(1).strikeRounds(1).build();
    Driver coordinator = Driver.server(forgiving, 0, 1);
    coordinator.started();
    RoundAttempt now = FIRST;
    coordinator.received(0, new SubmitReport(now, report(0, 10, 5), 0));
    coordinator.received(1, new SubmitReport(now, report(1, 30, 5), 0));
    answered(coordinator, 1, alone());
    coordinator.received(0, new Outcome(now, 0, model(4), Driver.ids(0), List.of(), 0));
    coordinator.received(1, new Outcome(now, 1, model(8), Driver.ids(1), Driver.ids(1), 0));
    assertThat(sent(coordinator.mixed(1, model(7)))).hasSize(1);

    now = ((HflState.CoordinatorState) coordinator.state()).roundAttempt();
    coordinator.received(0, new SubmitReport(now, report(0, 10, 5), 0));
    List<Effect> next =
        answered(
            coordinator,
            2,
            new FormClusters.FormedClusters(
                List.of(), List.of(), LINKS, Optional.of("none"), 0, 0, Optional.empty()));

    assertThat(sent(next)).hasSize(2).allMatch(Begin.class::isInstance);
  }

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
        ((HflState.ClientState) head.state())
            .membership()
            .orElseThrow()
            .headState()
            .orElseThrow()
            .timerNumber();

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

    assertThat(client.received(SERVER.number(), new Begin(new RoundAttempt(2, 50), model(4))))
        .contains(deployedModel(1, 4));
    assertThat(client.received(SERVER.number(), new Begin(new RoundAttempt(2, 90), model(4))))
        .doesNotContain(deployedModel(1, 4));
    HflMessage.FinalModel last = new HflMessage.FinalModel(new RoundAttempt(3, 99), model(6));
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
  void everyClientGetsTheFinalModelEvenIfItWasDown() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    List<Effect> effects = List.of();
    FormClusters.FormedClusters none =
        new FormClusters.FormedClusters(
            List.of(), List.of(), LINKS, Optional.of("none"), 0, 0, Optional.empty());
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      RoundAttempt now = ((HflState.CoordinatorState) coordinator.state()).roundAttempt();
      coordinator.received(0, new SubmitReport(now, report(0, 10, 5), 0));
      coordinator.received(1, new SubmitReport(now, report(1, 30, 5), 0));
      effects = answered(coordinator, round, none);
    }
    RoundAttempt last = ((HflState.CoordinatorState) coordinator.state()).roundAttempt();
    HflMessage.FinalModel finalModel = new HflMessage.FinalModel(last, model(0));
    assertThat(effects)
        .contains(
            new Effect.Send(new PeerId(0), finalModel), new Effect.Send(new PeerId(1), finalModel));

    assertThat(coordinator.sendFailed(1, finalModel)).hasSize(1);
    assertThat(coordinator.timerFired("resend", last.startTick()))
        .containsExactly(new Effect.Send(new PeerId(1), finalModel));
    assertThat(coordinator.received(1, new HflMessage.AskForModel()))
        .containsExactly(new Effect.Send(new PeerId(1), finalModel));
    assertThat(sent(coordinator.restored())).containsExactly(finalModel, finalModel);
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
    return ((HflState.ClientState) client.state()).links().entrySet();
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

  @Test
  void labelClustersNeedLabels() {
    assertThatThrownBy(
            () ->
                new Hfl(
                    new FormationSettings(
                        2,
                        1,
                        0,
                        FormationSettings.Algorithm.LABEL_SKEW,
                        usual().clusters().swap(),
                        usual().clusters().spectral()),
                    Hfl.Feature.DIFFERENCE,
                    List.of(),
                    1,
                    Hfl.Start.FEATURE,
                    Hfl.Weighting.SAMPLES,
                    30,
                    0,
                    2,
                    2,
                    10,
                    4,
                    3,
                    false,
                    TimeoutPolicy.of(600)))
        .isInstanceOf(SettingException.class)
        .hasMessage("label-skew clusters need the label counts of clients");
    assertThatThrownBy(() -> usual().check(1))
        .isInstanceOf(SettingException.class)
        .hasMessage("2 clusters need at least one client each, but there are only 1 clients");
  }
}
