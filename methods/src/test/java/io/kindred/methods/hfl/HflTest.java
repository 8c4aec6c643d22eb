package io.kindred.methods.hfl;

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
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.MixturePart;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.HflMessage.Assignment;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.Outcome;
import io.kindred.methods.hfl.HflMessage.SubmitReport;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HflTest {
  static final RoundAttempt FIRST = new RoundAttempt(0, 1, 0);

  private static final LinkHistory LINKS = LinkHistory.empty(4, 3);

  static Hfl method(Hfl.Feature feature, Hfl.Start start) {
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
        TimeoutPolicy.of(600),
        StandbySettings.NONE);
  }

  static Hfl usual() {
    return method(Hfl.Feature.SKEW, Hfl.Start.GLOBAL);
  }

  static ClientReport report(long from, long samples, double seconds) {
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

  static HflState.ClientState client(Driver driver) {
    return ((HflState.ParticipantState) driver.state()).client().orElseThrow();
  }

  private static RoundAttempt attempt(Driver coordinator) {
    return ((HflState.ParticipantState) coordinator.state())
        .coordinator()
        .orElseThrow()
        .roundAttempt();
  }

  static <T> T only(Class<T> type, List<Effect> effects) {
    List<T> found = effects.stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  static List<Object> sent(List<Effect> effects) {
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
      RoundAttempt now = attempt(coordinator);
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

    now = attempt(coordinator);
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
  void everyClientGetsTheFinalModelEvenIfItWasDown() {
    Driver coordinator = Driver.server(usual(), 0, 1);
    coordinator.started();
    List<Effect> effects = List.of();
    FormClusters.FormedClusters none =
        new FormClusters.FormedClusters(
            List.of(), List.of(), LINKS, Optional.of("none"), 0, 0, Optional.empty());
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      RoundAttempt now = attempt(coordinator);
      coordinator.received(0, new SubmitReport(now, report(0, 10, 5), 0));
      coordinator.received(1, new SubmitReport(now, report(1, 30, 5), 0));
      effects = answered(coordinator, round, none);
    }
    RoundAttempt last = attempt(coordinator);
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
                    TimeoutPolicy.of(600),
                    StandbySettings.NONE))
        .isInstanceOf(SettingException.class)
        .hasMessage("label-skew clusters need the label counts of clients");
    assertThatThrownBy(() -> usual().check(1))
        .isInstanceOf(SettingException.class)
        .hasMessage("2 clusters need at least one client each, but there are only 1 clients");
  }
}
