package io.kindred.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.pull.ClassSimilarity;
import io.kindred.methods.pull.Oracle;
import io.kindred.methods.pull.RandomK;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.SmallSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods that search for similar peers, in whole runs, and their limit cases. */
class SimilaritySearchTest {
  private static final int PEERS = 8;
  private static final int ROUNDS = 3;

  private static ShellService oracle() {
    return new ExactSearch(new RandomStreams(1));
  }

  private static SmallSimulation.FinishedRun run(Method method) {
    return SmallSimulation.of(PEERS, ROUNDS).run(method, oracle());
  }

  static List<Method> searching() {
    return List.of(
        SimilarityMethods.semantic(2, SemanticDfl.Search.OVERLAY),
        SimilarityMethods.semantic(2, SemanticDfl.Search.EXACT),
        SimilarityMethods.semantic(
            2, SimilarityMethods.OVERLAY.with(MaintenanceSettings.DISABLED.withLease(1))),
        new RandomK(SimilarityMethods.pulling(2), SimilarityMethods.SIGNATURES),
        new ClassSimilarity(
            SimilarityMethods.pulling(2),
            SemanticDfl.Search.OVERLAY,
            new SearchRule(8, SearchRule.BeamScope.NODE, 0),
            0,
            SimilarityMethods.OVERLAY));
  }

  private static List<Observation.SearchCompleted> found(
      SmallSimulation.FinishedRun finishedRun, int round) {
    List<Observation.SearchCompleted> all = new ArrayList<>();
    for (ObservationListener.Observed each : finishedRun.observed()) {
      if (each.observation() instanceof Observation.SearchCompleted searchCompleted
          && searchCompleted.round() == round) {
        all.add(searchCompleted);
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("searching")
  void everyPeerFindsAndPullsAsManyModelsAsItWantsInEveryRound(Method method) {
    SmallSimulation.FinishedRun finishedRun = run(method);
    for (int round = 1; round <= ROUNDS; round++) {
      assertThat(finishedRun.lastDeployed(round)).as("round %d", round).hasSize(PEERS);
      assertThat(found(finishedRun, round)).hasSize(PEERS);
    }
    assertThat(found(finishedRun, ROUNDS)).allSatisfy(each -> assertThat(each.peers()).hasSize(2));
    for (int peer = 0; peer < PEERS; peer++) {
      assertThat(finishedRun.traffic().account(peer).modelsReceived()).isEqualTo(2 * ROUNDS);
    }
  }

  @ParameterizedTest
  @MethodSource("searching")
  void aCutAtAnyTimeChangesNothing(Method method) {
    SmallSimulation simulation = SmallSimulation.of(5, 2);
    SmallSimulation.FinishedRun whole = simulation.run(method, oracle());
    SmallSimulation.FinishedRun resumed = simulation.runWithSnapshots(method, oracle(), 3);
    assertThat(resumed.traceHash()).isEqualTo(whole.traceHash());
    assertThat(resumed.observed()).isEqualTo(whole.observed());
  }

  private static SortedMap<PeerId, Predictor> models(SmallSimulation.FinishedRun finishedRun) {
    SortedMap<PeerId, Predictor> last = new TreeMap<>();
    for (ObservationListener.Observed each : finishedRun.observed()) {
      if (each.observation() instanceof Observation.Deployed deployed
          && deployed.stage() == Observation.Stage.MIXED) {
        last.put(each.peer(), deployed.predictor());
      }
    }
    return last;
  }

  @ParameterizedTest
  @EnumSource(SemanticDfl.Search.class)
  void withoutAttractionItIsLocalTrainingBitForBit(SemanticDfl.Search search) {
    assertThat(models(run(SimilarityMethods.semantic(0, search))))
        .isEqualTo(models(run(new Local())));
  }

  @Test
  void aLooseLeashMakesDittosOwnModelALocalOne() {
    assertThat(
            models(run(new Ditto(0, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))))))
        .isEqualTo(models(run(new Local())));
  }

  @Test
  void fedproxThatHoldsNothingIsFederatedAveragingBitForBit() {
    assertThat(
            models(
                run(new FedProx(0, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(600))))))
        .isEqualTo(models(run(new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600))))));
  }

  @ParameterizedTest
  @EnumSource(Oracle.ComparedBy.class)
  void anExactSearchComparesWhatItIsToldTo(Oracle.ComparedBy comparedBy) {
    SmallSimulation.FinishedRun finishedRun =
        run(SimilarityMethods.semantic(2, SemanticDfl.Search.EXACT, comparedBy));
    assertThat(finishedRun.lastDeployed(ROUNDS)).hasSize(PEERS);
  }

  @Test
  void differentMeasuresFindDifferentPeers() {
    assertThat(
            found(
                run(
                    SimilarityMethods.semantic(
                        2, SemanticDfl.Search.EXACT, Oracle.ComparedBy.UPDATE)),
                ROUNDS))
        .isNotEqualTo(
            found(
                run(
                    SimilarityMethods.semantic(
                        2, SemanticDfl.Search.EXACT, Oracle.ComparedBy.CHANCE)),
                ROUNDS));
  }

  @Test
  void aShellWithoutAGlobalViewRefusesAnExactSearch() {
    assertThatThrownBy(
            () ->
                SmallSimulation.of(3, 1)
                    .run(
                        SimilarityMethods.semantic(2, SemanticDfl.Search.EXACT), ShellService.NONE))
        .hasMessageContaining("offers no service");
  }
}
