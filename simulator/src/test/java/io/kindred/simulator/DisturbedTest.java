package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Observation;
import io.kindred.core.weights.Digest;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.clusters.Dfca;
import io.kindred.methods.clusters.FedEm;
import io.kindred.methods.clusters.FedSpd;
import io.kindred.methods.clusters.Privacy;
import io.kindred.methods.hierarchy.Hfl;
import io.kindred.methods.mixing.FedAmp;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.rounds.Over;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.world.AlikeDevices;
import io.kindred.world.EvenLinks;
import io.kindred.world.Faults;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.Segments;
import io.kindred.world.SessionChurn;
import io.kindred.world.SteadyChurn;
import io.kindred.world.VariedDevices;
import io.kindred.world.VariedLinks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs in which nearly everything goes wrong that can. */
class DisturbedTest {
  private static final int STALENESS = 1;
  private static final int PEERS = 7;
  private static final int ROUNDS = 5;

  /** Slow, unequal devices with stragglers; links that change; two segments; new neighbours. */
  private static final Network ROUGH =
      new Network(
          new VariedDevices(1e6, 5, 0.5, 4, 1, 0.5, 0.3, 5),
          new VariedLinks(0.005, 0.3, 0.5, 5, 0.02, true, true),
          0.05,
          0.2,
          new Segments(2, 10),
          2,
          0.3);

  private static final Faults MIXED =
      new Faults(0.05, 0.05, 0.1, 3, 0.03, 0.03, 0.1, 0.3, 0.1, 0.1, 10, 0.3, 0.5, 0.05, 40);

  static List<Method> methods() {
    return List.of(
        new FedAvg(5, 0, new Patience(5, 3, 1), STALENESS),
        new Dfedavgm(0.5, new Patience(5, 3, 1), STALENESS),
        new Dfca(2, Dfca.Start.GLOBAL, Dfca.Averaging.RUNNING, 1, new Patience(5, 3, 1), STALENESS),
        personalizing(),
        new FedEm(2, Over.SERVER, new Patience(5, 3, 1)),
        new FedAmp(0.9, 1, 0.01, new Patience(5, 3, 1), STALENESS),
        new Pfedwn(
            0.5, -1, new Pfedwn.Estimation(2, 20, 1e-3, 1), new Patience(5, 3, 1), STALENESS),
        TinyWorld.hierarchy(Hfl.Feature.DIFFERENCE, Hfl.Start.FEATURE, 1, new Patience(5, 3, 1)));
  }

  private static FedSpd personalizing() {
    return new FedSpd(
        2,
        1,
        true,
        FedSpd.Update.TRAINED,
        FedSpd.Start.APART,
        new Privacy(0, 0.01, 1, 1, Privacy.What.WEIGHTS),
        new Patience(5, 3, 1),
        STALENESS);
  }

  private static TinyWorld rough() {
    return TinyWorld.of(PEERS, ROUNDS).in(ROUGH).with(MIXED).with(new SteadyChurn(0.2, 0.5, 0.3));
  }

  private static Inspector checkers(Method method) {
    return Invariants.of(method, PEERS);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void neitherRepeatingNorWorkersReachTheTrace(Method method) {
    Digest once = rough().run(method, checkers(method)).traceHash();
    assertThat(rough().run(method, checkers(method)).traceHash()).isEqualTo(once);
    assertThat(rough().withWorkers(1).run(method, checkers(method)).traceHash()).isEqualTo(once);
    assertThat(rough().withSeed(2).run(method, checkers(method)).traceHash()).isNotEqualTo(once);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aRunThatIsCutAndReadBackGoesOnAsIfNothingHappened(Method method) {
    TinyWorld.Ended whole = rough().run(method);
    for (long between : new long[] {1, 3, 7}) {
      TinyWorld.Ended cut = rough().runWithCuts(method, ShellService.NONE, between);
      assertThat(cut.traceHash()).as("a cut every %d steps", between).isEqualTo(whole.traceHash());
      assertThat(cut.observed()).isEqualTo(whole.observed());
      assertThat(cut.traffic().snapshot()).isEqualTo(whole.traffic().snapshot());
      assertThat(cut.simulation().spent().snapshot())
          .isEqualTo(whole.simulation().spent().snapshot());
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void onceAllIsWellAgainEverybodyFinishes(Method method) {
    for (long seed = 1; seed <= 20; seed++) {
      TinyWorld.Ended ended = rough().withSeed(seed).run(method, checkers(method));
      assertThat(ended.simulation().unfinished()).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void whatWasSentArrivedOrWasLostOrIsUnderWay(Method method) {
    // Without a server the run ends only when nothing is under way any more.
    Faults lossy = new Faults(0.2, 0.1, 0.2, 3, 0.1, 0.1, 0, 0, 0, 0, 10, 0, 0, 0, 0);
    Traffic traffic =
        TinyWorld.of(PEERS, ROUNDS).with(lossy).run(method, checkers(method)).traffic();
    long received = 0;
    for (int i = 0; i <= PEERS; i++) {
      if (i < PEERS || method.hasServer()) {
        received += traffic.account(i).receivedControl() + traffic.account(i).receivedModel();
      }
    }
    long sent = traffic.totals(0).controlBytes() + traffic.totals(0).modelBytes();
    assertThat(traffic.lostBytes()).isPositive();
    assertThat(received + traffic.lostBytes()).isLessThanOrEqualTo(sent);
    assertThat(sent - received - traffic.lostBytes())
        .as("under way at the end")
        .isLessThan(sent / 5);
  }

  @Test
  void sessionsEndAndBeginAnew() {
    Method brisk = new Dfedavgm(0, new Patience(2, 0, 1), 1);
    TinyWorld.Ended ended =
        TinyWorld.of(PEERS, 30)
            .in(slow())
            .with(new SessionChurn(5, 2, 0.7))
            .run(brisk, checkers(brisk));
    assertThat(ended.simulation().counts().keySet()).contains("send-failed");
    assertThat(ended.simulation().unfinished()).isEmpty();
  }

  private static Network slow() {
    return new Network(
        new AlikeDevices(1e6, 5, 1, 4, 1),
        new EvenLinks(0.02, 0),
        0.05,
        0,
        new Segments(1, 1000),
        2,
        0.3);
  }

  @Test
  void clocksThatDriftChangeTimesAndNothingElse() {
    Faults drifting = new Faults(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0.1, 0);
    TinyWorld.Ended straight = TinyWorld.of(5, 3).run(new Dfedavgm(0.5, Patience.of(60), 0));
    TinyWorld.Ended drifted =
        TinyWorld.of(5, 3).with(drifting).run(new Dfedavgm(0.5, Patience.of(60), 0));
    assertThat(drifted.traceHash()).isNotEqualTo(straight.traceHash());
    assertThat(deployed(drifted)).isEqualTo(deployed(straight));
  }

  @Test
  void aPersonalPhaseIsWaitedForInAWorldThatTurns() {
    Method method = personalizing();
    TinyWorld.Ended ended = TinyWorld.of(PEERS, ROUNDS).in(ROUGH).run(method, checkers(method));
    long personal =
        deployed(ended).stream()
            .filter(
                each ->
                    each instanceof Observation.Deployed last
                        && last.stage() == Observation.Stage.FINAL)
            .count();
    assertThat(personal).isEqualTo(PEERS);
    assertThat(ended.simulation().unfinished()).isEmpty();
  }

  private static List<Observation> deployed(TinyWorld.Ended ended) {
    return ended.observed().stream().map(Watcher.Observed::observation).toList();
  }

  @Test
  void withoutDisturbanceThereAreNoTurnsOfTheWorld() {
    assertThat(new NoChurn().isCalm()).isTrue();
    assertThat(Faults.NONE.isCalm()).isTrue();
    assertThat(MIXED.isCalm()).isFalse();
  }
}
