package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Digest;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.Segments;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.churn.SessionChurn;
import io.kindred.environment.churn.SteadyChurn;
import io.kindred.environment.device.AlikeDevices;
import io.kindred.environment.device.VariedDevices;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.EvenLinks;
import io.kindred.environment.link.VariedLinks;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.clustered.Dfca;
import io.kindred.methods.clustered.FedEm;
import io.kindred.methods.clustered.FedSpd;
import io.kindred.methods.clustered.FinalPhase;
import io.kindred.methods.clustered.PrivacySettings;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.FedAmp;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.oracle.SimilarityMethods;
import io.kindred.simulator.state.Traffic;
import io.kindred.simulator.state.Transfer;
import java.util.IdentityHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs with nearly every kind of fault. */
class FaultToleranceTest {
  private static final int STALENESS = 1;
  private static final int PEERS = 7;
  private static final int ROUNDS = 5;

  /** Slow, unequal devices with stragglers; links that change; two segments; rewired neighbours. */
  private static final NetworkSettings FAULTY_NETWORK =
      new NetworkSettings(
          new VariedDevices(1e6, 5, 0.5, 4, 1, 0.5, 0.3, 5),
          new VariedLinks(0.005, 0.3, 0.5, 5, 0.02, true, true),
          0.05,
          0.2,
          new Segments(2, 10),
          2,
          0.3);

  private static final Faults MIXED_FAULTS =
      Faults.builder()
          .loss(0.05)
          .duplicate(0.05)
          .delay(0.1)
          .delaySeconds(3)
          .corrupt(0.03)
          .misreport(0.03)
          .crashes(0.1)
          .forgetful(0.3)
          .pauses(0.1)
          .slow(0.1)
          .splits(0.3)
          .cuts(0.5)
          .drift(0.05)
          .untilSeconds(40)
          .build();

  static List<Method> methods() {
    return List.of(
        new FedAvg(0, new RoundSettings(new TimeoutPolicy(5, 3, 1), 5, STALENESS)),
        new Dfedavgm(0.5, new TimeoutPolicy(5, 3, 1), STALENESS),
        new Dfca(
            2, Dfca.Start.GLOBAL, Dfca.Averaging.RUNNING, 1, new TimeoutPolicy(5, 3, 1), STALENESS),
        personalizing(true, FedSpd.SendTo.ALL),
        personalizing(false, FedSpd.SendTo.SAME_CLUSTER),
        new FedEm(
            2, Aggregation.SERVER, new RoundSettings(new TimeoutPolicy(5, 3, 1), 5, STALENESS)),
        new Ditto(
            0.1, Aggregation.SERVER, new RoundSettings(new TimeoutPolicy(5, 3, 1), 0, STALENESS)),
        new FedAmp(0.9, 1, 0.01, new TimeoutPolicy(5, 3, 1), STALENESS),
        new Pfedwn(
            0.5,
            -1,
            Pfedwn.Sends.MIXED,
            new Pfedwn.Estimation(2, 20, 1e-3, 1, Pfedwn.Estimation.Shares.ESTIMATED),
            new TimeoutPolicy(5, 3, 1),
            STALENESS,
            PartnerSettings.NEIGHBOURS),
        new Dpfl(
            2,
            2,
            Dpfl.SelectionSplit.TRAIN,
            new TimeoutPolicy(5, 3, 1),
            STALENESS,
            new PartnerSettings(SimilarityMethods.views(), 2)),
        pulling(SimilarityMethods.views()),
        pulling(new NeighbourDiscovery()),
        SimilarityMethods.kin(2, new TimeoutPolicy(5, 3, 1), STALENESS, SimilarityMethods.views()),
        SmallSimulation.hierarchy(
            Hfl.Feature.DIFFERENCE, Hfl.Start.FEATURE, 1, new TimeoutPolicy(5, 3, 1)));
  }

  private static Method pulling(PeerDiscovery discovery) {
    return new SemanticDfl(
        SimilarityMethods.pulling(2, new TimeoutPolicy(5, 3, 1), STALENESS), discovery);
  }

  private static FedSpd personalizing(boolean matching, FedSpd.SendTo sendTo) {
    return new FedSpd(
        2,
        FedSpd.Variant.PAPER,
        1,
        FinalPhase.asInRounds(),
        matching,
        FedSpd.Update.TRAINED,
        FedSpd.Start.APART,
        sendTo,
        new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
        new TimeoutPolicy(5, 3, 1),
        STALENESS);
  }

  static SmallSimulation withFaults() {
    return SmallSimulation.of(PEERS, ROUNDS)
        .withNetwork(FAULTY_NETWORK)
        .with(MIXED_FAULTS)
        .with(new SteadyChurn(0.2, 0.5, 0.3));
  }

  private static StepListener checkers(Method method) {
    return Invariants.of(method, PEERS);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void neitherRepeatingNorWorkersReachTheTrace(Method method) {
    Digest once = withFaults().run(method, checkers(method)).traceHash();
    assertThat(withFaults().run(method, checkers(method)).traceHash()).isEqualTo(once);
    assertThat(withFaults().withWorkers(1).run(method, checkers(method)).traceHash())
        .isEqualTo(once);
    assertThat(withFaults().withSeed(2).run(method, checkers(method)).traceHash())
        .isNotEqualTo(once);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aRunThatIsCutAndReadBackGoesOnAsIfNothingHappened(Method method) {
    SmallSimulation.FinishedRun whole = withFaults().run(method);
    for (long between : new long[] {1, 3, 7}) {
      SmallSimulation.FinishedRun resumed =
          withFaults().runWithSnapshots(method, ShellService.NONE, between);
      assertThat(resumed.traceHash())
          .as("a cut every %d steps", between)
          .isEqualTo(whole.traceHash());
      assertThat(resumed.observed()).isEqualTo(whole.observed());
      assertThat(resumed.traffic().snapshot()).isEqualTo(whole.traffic().snapshot());
      assertThat(resumed.simulation().timeBreakdown().snapshot())
          .isEqualTo(whole.simulation().timeBreakdown().snapshot());
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void afterTheFaultsEveryPeerFinishes(Method method) {
    for (long seed = 1; seed <= 20; seed++) {
      SmallSimulation.FinishedRun finishedRun =
          withFaults().withSeed(seed).run(method, checkers(method));
      assertThat(finishedRun.simulation().unfinishedPeers()).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void whatWasSentArrivedOrWasLostOrIsUnderWay(Method method) {
    // Without a server the run ends only when no message is in transit any more.
    Faults lossy =
        Faults.builder()
            .loss(0.2)
            .duplicate(0.1)
            .delay(0.2)
            .delaySeconds(3)
            .corrupt(0.1)
            .misreport(0.1)
            .build();
    Traffic traffic =
        SmallSimulation.of(PEERS, ROUNDS).with(lossy).run(method, checkers(method)).traffic();
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
    Method brisk = new Dfedavgm(0, new TimeoutPolicy(2, 0, 1), 1);
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, 30)
            .withNetwork(slow())
            .with(new SessionChurn(5, 2, 0.7))
            .run(brisk, checkers(brisk));
    assertThat(finishedRun.simulation().counts().keySet()).contains("send-failed");
    assertThat(finishedRun.simulation().unfinishedPeers()).isEmpty();
  }

  /** Remembers when each message left that has neither arrived nor been reported as lost. */
  private static final class InTransit implements StepListener {
    private final IdentityHashMap<Transfer, Long> departures = new IdentityHashMap<>();
    private long lastTick;

    @Override
    public void sent(Transfer transfer, long tick) {
      departures.put(transfer, tick);
    }

    @Override
    public void lost(Transfer transfer, long tick) {
      departures.remove(transfer);
      lastTick = tick;
    }

    @Override
    public void arrived(Transfer transfer, long tick) {
      departures.remove(transfer);
      lastTick = tick;
    }
  }

  @Test
  void aModelForAPeerThatIsDownIsReportedAsLost() {
    Method brisk = new Dfedavgm(0, new TimeoutPolicy(2, 0, 1), 1);
    InTransit inTransit = new InTransit();
    SmallSimulation.of(PEERS, 30)
        .withNetwork(slow())
        .with(new SessionChurn(5, 2, 0.7))
        .run(brisk, inTransit);
    assertThat(inTransit.lastTick).isGreaterThan(Ticks.ofSeconds(30));
    assertThat(inTransit.departures.values())
        .as("no transfer of the small model takes five seconds")
        .allMatch(tick -> tick > inTransit.lastTick - Ticks.ofSeconds(5));
  }

  private static NetworkSettings slow() {
    return new NetworkSettings(
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
    Faults drifting = Faults.builder().delaySeconds(1).drift(0.1).build();
    SmallSimulation.FinishedRun straight =
        SmallSimulation.of(5, 3).run(new Dfedavgm(0.5, TimeoutPolicy.of(60), 0));
    SmallSimulation.FinishedRun drifted =
        SmallSimulation.of(5, 3).with(drifting).run(new Dfedavgm(0.5, TimeoutPolicy.of(60), 0));
    assertThat(drifted.traceHash()).isNotEqualTo(straight.traceHash());
    assertThat(deployed(drifted)).isEqualTo(deployed(straight));
  }

  @Test
  void aPersonalPhaseIsWaitedForInAWorldThatTurns() {
    Method method = personalizing(true, FedSpd.SendTo.ALL);
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, ROUNDS).withNetwork(FAULTY_NETWORK).run(method, checkers(method));
    long personal =
        deployed(finishedRun).stream()
            .filter(
                each ->
                    each instanceof Observation.Deployed last
                        && last.stage() == Observation.Stage.FINAL)
            .count();
    assertThat(personal).isEqualTo(PEERS);
    assertThat(finishedRun.simulation().unfinishedPeers()).isEmpty();
  }

  private static List<Observation> deployed(SmallSimulation.FinishedRun finishedRun) {
    return finishedRun.observed().stream().map(ObservationListener.Observed::observation).toList();
  }

  @Test
  void withoutDisturbanceThereAreNoTurnsOfTheWorld() {
    assertThat(new NoChurn().isFaultFree()).isTrue();
    assertThat(Faults.NONE.isFaultFree()).isTrue();
    assertThat(MIXED_FAULTS.isFaultFree()).isFalse();
  }
}
