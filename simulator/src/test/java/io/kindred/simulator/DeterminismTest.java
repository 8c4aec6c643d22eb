package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation;
import io.kindred.core.weights.Digest;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Centralized;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.clustered.Dfca;
import io.kindred.methods.clustered.FedEm;
import io.kindred.methods.clustered.FedSoft;
import io.kindred.methods.clustered.FedSpd;
import io.kindred.methods.clustered.FinalPhase;
import io.kindred.methods.clustered.Ifca;
import io.kindred.methods.clustered.PFedMe;
import io.kindred.methods.clustered.PrivacySettings;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.personal.DFedPgp;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.personal.PFedGraph;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.simulator.oracle.SimilarityMethods;
import io.kindred.simulator.state.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeterminismTest {
  static List<Method> methods() {
    List<Method> methods = new ArrayList<>(withoutKin());
    methods.add(SimilarityMethods.kin(2, TimeoutPolicy.of(60), SimilarityMethods.views()));
    methods.add(SimilarityMethods.kin(2, TimeoutPolicy.of(60), new NeighbourDiscovery()));
    methods.add(
        SimilarityMethods.kinByGuardCosines(2, TimeoutPolicy.of(60), SimilarityMethods.views()));
    return methods;
  }

  static List<Method> withoutKin() {
    List<Method> methods = new ArrayList<>(ofFixedPartners());
    methods.addAll(thatFindPeersOrFormClusters());
    return methods;
  }

  private static List<Method> ofFixedPartners() {
    return List.of(
        new Local(),
        new Centralized(),
        new FedAvg(0, new RoundSettings(TimeoutPolicy.of(600), 3, 0)),
        new Dfedavgm(0.5, TimeoutPolicy.of(600), 0),
        new Dfca(2, Dfca.Start.LOCAL, Dfca.Averaging.RUNNING, 0.7, TimeoutPolicy.of(600), 0),
        new Dfca(2, Dfca.Start.GLOBAL, Dfca.Averaging.BATCH, 1, TimeoutPolicy.of(600), 0),
        new FedSpd(
            2,
            FedSpd.Variant.PAPER,
            2,
            FinalPhase.asInRounds(),
            true,
            FedSpd.Update.RECEIVED,
            FedSpd.Start.APART,
            FedSpd.SendTo.ALL,
            new PrivacySettings(50, 0.01, 1, 1, PrivacySettings.ClipTarget.CHANGE),
            TimeoutPolicy.of(600),
            0),
        withinClusters(),
        new FedSpd(
            2,
            FedSpd.Variant.RELEASED,
            4,
            FinalPhase.asInRounds(),
            true,
            FedSpd.Update.TRAINED,
            FedSpd.Start.APART,
            FedSpd.SendTo.ALL,
            new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
            TimeoutPolicy.of(600),
            0),
        new Ifca(2, Aggregation.SERVER, new RoundSettings(TimeoutPolicy.of(600), 4, 1)),
        new FedEm(2, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))),
        new FedEm(3, Aggregation.GRAPH, RoundSettings.of(TimeoutPolicy.of(600))),
        new FedSoft(2, 0.1, 0.01, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))),
        new PFedMe(
            15, 0.05, 2, 0, 0.5, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))),
        new FedProx(
            0.1,
            Aggregation.SERVER,
            GraphWeights.METROPOLIS,
            RoundSettings.of(TimeoutPolicy.of(600))),
        new Ditto(0.1, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))),
        new PFedGraph(0.8, 0.01, RoundSettings.of(TimeoutPolicy.of(600))),
        new Dpfl(
            2,
            2,
            Dpfl.SelectionSplit.VALIDATION,
            TimeoutPolicy.of(600),
            0,
            PartnerSettings.NEIGHBOURS),
        new DFedPgp(1, TimeoutPolicy.of(600), 0));
  }

  private static List<Method> thatFindPeersOrFormClusters() {
    return List.of(
        SimilarityMethods.semantic(2, SimilarityMethods.overlay()),
        SimilarityMethods.semantic(2, SimilarityMethods.views()),
        SimilarityMethods.semantic(2, new NeighbourDiscovery()),
        SmallSimulation.hierarchy(
            Hfl.Feature.DIFFERENCE, Hfl.Start.FEATURE, 5e-4, TimeoutPolicy.of(600)),
        SmallSimulation.hierarchy(Hfl.Feature.SKEW, Hfl.Start.GLOBAL, 5e-4, TimeoutPolicy.of(600)),
        SmallSimulation.hierarchy(Hfl.Feature.CROP, Hfl.Start.FEATURE, 5e-4, TimeoutPolicy.of(600)),
        SmallSimulation.hierarchy(
            Hfl.Feature.PREDICTION, Hfl.Start.FEATURE, 5e-4, TimeoutPolicy.of(600)));
  }

  private static FedSpd withinClusters() {
    return new FedSpd(
        2,
        FedSpd.Variant.PAPER,
        2,
        FinalPhase.asInRounds(),
        false,
        FedSpd.Update.TRAINED,
        FedSpd.Start.APART,
        FedSpd.SendTo.SAME_CLUSTER,
        new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
        TimeoutPolicy.of(600),
        0);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void sameSeedTwiceGivesTheSameTraceHash(Method method) {
    SmallSimulation simulation = SmallSimulation.of(6, 3);
    assertThat(simulation.run(method).traceHash()).isEqualTo(simulation.run(method).traceHash());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void theNumberOfWorkersDoesNotReachTheTrace(Method method) {
    Digest one = new SmallSimulation(6, 3, 5, 1).run(method).traceHash();
    assertThat(new SmallSimulation(6, 3, 5, 2).run(method).traceHash()).isEqualTo(one);
    assertThat(new SmallSimulation(6, 3, 5, 7).run(method).traceHash()).isEqualTo(one);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void everySeedHasATraceOfItsOwn(Method method) {
    TreeSet<Digest> hashes = new TreeSet<>();
    for (long seed = 0; seed < 5; seed++) {
      hashes.add(new SmallSimulation(5, 2, seed, 2).run(method).traceHash());
    }
    assertThat(hashes).hasSize(5);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aRunThatIsCutAndReadBackGoesOnAsIfNothingHappened(Method method) {
    SmallSimulation simulation = SmallSimulation.of(5, 3);
    SmallSimulation.FinishedRun whole = simulation.run(method);
    for (long between : new long[] {1, 2, 3, 7}) {
      SmallSimulation.FinishedRun resumed =
          simulation.runWithSnapshots(method, ShellService.NONE, between);
      assertThat(resumed.traceHash())
          .as("a cut every %d events", between)
          .isEqualTo(whole.traceHash());
      assertThat(resumed.observed()).isEqualTo(whole.observed());
      assertThat(resumed.traffic().snapshot()).isEqualTo(whole.traffic().snapshot());
    }
  }

  @Test
  void everyPeerDeploysOnceARoundAndStage() {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(6, 4).run(new Dfedavgm(0.5, TimeoutPolicy.of(600), 0));
    assertThat(finishedRun.observed())
        .filteredOn(each -> each.observation() instanceof Observation.Deployed)
        .hasSize(6 * 4 * 2);
    assertThat(finishedRun.lastDeployed(4)).hasSize(6);
  }

  @Test
  void bytesSentEqualTheModelsTimesTheirSize() {
    SmallSimulation simulation = SmallSimulation.of(6, 4);
    SmallSimulation.FinishedRun finishedRun =
        simulation.run(new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600))));
    long modelBytes = 4L * (784 * 4 + 4);
    // In each of four rounds down and up, and the final model down.
    assertThat(finishedRun.traffic().totals(0).modelBytes())
        .isEqualTo(6 * (4 * 2 + 1) * modelBytes);
    for (int peer = 0; peer < 6; peer++) {
      assertThat(finishedRun.traffic().account(peer).sentModel()).isEqualTo(4 * modelBytes);
      assertThat(finishedRun.traffic().account(peer).receivedModel()).isEqualTo(5 * modelBytes);
      assertThat(finishedRun.traffic().account(peer).modelsReceived()).isEqualTo(5);
    }
  }

  @Test
  void withAServerThatSamplesOnlyParticipantsTransferModelsButEveryPeerReportsEveryRound() {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(6, 4).run(new FedAvg(0, new RoundSettings(TimeoutPolicy.of(600), 2, 0)));
    long modelBytes = 4L * (784 * 4 + 4);
    assertThat(finishedRun.traffic().totals(0).modelBytes())
        .isEqualTo((4 * 2 * 2 + 6) * modelBytes);
    for (int round = 1; round <= 4; round++) {
      assertThat(finishedRun.lastDeployed(round)).as("round %d", round).hasSize(6);
    }
  }

  @Test
  void whatOnePeerSendsAnotherReceives() {
    Traffic traffic =
        SmallSimulation.of(7, 3).run(new Dfedavgm(0, TimeoutPolicy.of(600), 0)).traffic();
    long sent = 0;
    long received = 0;
    for (int peer = 0; peer < 7; peer++) {
      sent += traffic.account(peer).sentModel() + traffic.account(peer).sentControl();
      received += traffic.account(peer).receivedModel() + traffic.account(peer).receivedControl();
    }
    assertThat(received).isEqualTo(sent);
    assertThat(traffic.totals(0).modelBytes() + traffic.totals(0).controlBytes()).isEqualTo(sent);
  }
}
