package io.kindred.simulator.sketches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.contract.Method;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.SmallSimulation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContractTest {
  private static final int PEERS = 7;
  private static final int ROUNDS = 3;

  static List<Method> sketches() {
    return List.of(
        new PullAfterSearch(false),
        new PullAfterSearch(true),
        new SeveralModels(3),
        new TwoLevels(PEERS, 3),
        new GreedyChoice(),
        new WeightedEnsemble());
  }

  /**
   * Finds the two peers after the asking one: any rule will do, as long as only the shell can know
   * it.
   */
  private static LocalMessage exactSearch(PeerId peer, LocalMessage question) {
    PullAfterSearch.Search search = (PullAfterSearch.Search) question;
    return new PullAfterSearch.Found(
        search.round(),
        List.of(new PeerId((peer.number() + 1) % PEERS), new PeerId((peer.number() + 2) % PEERS)));
  }

  @ParameterizedTest
  @MethodSource("sketches")
  void everyPeerDeploysInEveryRound(Method sketch) {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, ROUNDS).run(sketch, ContractTest::exactSearch);
    for (int round = 1; round <= ROUNDS; round++) {
      assertThat(finishedRun.lastDeployed(round)).as("round %d", round).hasSize(PEERS);
    }
  }

  @ParameterizedTest
  @MethodSource("sketches")
  void aCutBetweenAnyTwoEventsChangesNothing(Method sketch) {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    SmallSimulation.FinishedRun whole = simulation.run(sketch, ContractTest::exactSearch);
    SmallSimulation.FinishedRun resumed =
        simulation.runWithSnapshots(sketch, ContractTest::exactSearch, 1);
    assertThat(resumed.traceHash()).isEqualTo(whole.traceHash());
  }

  @Test
  void twoLevelsEndWithOneModelForAllPeers() {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, ROUNDS).run(new TwoLevels(PEERS, 3));
    assertThat(finishedRun.lastDeployed(ROUNDS).stream().distinct()).hasSize(1);
  }

  @Test
  void anEnsembleIsDeployedWithSharesThatSumToOne() {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, ROUNDS).run(new WeightedEnsemble());
    assertThat(finishedRun.lastDeployed(ROUNDS))
        .allSatisfy(
            deployed -> {
              Predictor.Ensemble ensemble = (Predictor.Ensemble) deployed.predictor();
              double sum =
                  ensemble.members().parts().stream().mapToDouble(p -> p.coefficient()).sum();
              assertThat(sum).isBetween(1 - 1e-6, 1 + 1e-6);
            });
  }

  @Test
  void aShellWithoutServicesRefusesToAnswer() {
    assertThatThrownBy(
            () -> SmallSimulation.of(PEERS, 1).run(new PullAfterSearch(true), ShellService.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("offers no service");
  }
}
