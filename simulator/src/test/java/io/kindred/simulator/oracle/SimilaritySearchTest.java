package io.kindred.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.topology.Graph;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.pull.ClassSimilarity;
import io.kindred.methods.pull.RandomK;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.SmallSimulation;
import io.kindred.simulator.state.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
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
    List<Method> methods = new ArrayList<>();
    SimilarityMethods.discoveries()
        .forEach(each -> methods.add(SimilarityMethods.semantic(2, each)));
    methods.add(
        SimilarityMethods.semantic(
            2,
            SimilarityMethods.overlay(
                SimilarityMethods.OVERLAY.with(MaintenanceSettings.DISABLED.withLease(1)))));
    methods.add(new RandomK(SimilarityMethods.pulling(2), SimilarityMethods.random()));
    methods.add(new RandomK(SimilarityMethods.pulling(2), new NeighbourDiscovery()));
    methods.add(new ClassSimilarity(SimilarityMethods.pulling(2), SimilarityMethods.overlay()));
    methods.addAll(partnered());
    return methods;
  }

  /** Methods in rounds with the partners that each discovery finds. */
  private static List<Method> partnered() {
    List<Method> methods = new ArrayList<>();
    for (PeerDiscovery each : SimilarityMethods.discoveries()) {
      PartnerSettings partners = new PartnerSettings(each, 2);
      if (partners.isSearched()) {
        methods.add(new Dpfl(2, 2, Dpfl.SelectionSplit.TRAIN, TimeoutPolicy.of(60), 0, partners));
        methods.add(
            new Pfedwn(
                0.5,
                -1,
                Pfedwn.Sends.MIXED,
                new Pfedwn.Estimation(0, 10, 1e-3, 0, Pfedwn.Estimation.Shares.ESTIMATED),
                TimeoutPolicy.of(60),
                0,
                partners));
      }
    }
    return methods;
  }

  static List<PeerDiscovery> discoveries() {
    return SimilarityMethods.discoveries();
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

  private static boolean usesSignatures(Method method) {
    return switch (method) {
      case SemanticDfl semantic -> semantic.discovery().signing().isPresent();
      case RandomK randomK -> randomK.discovery().signing().isPresent();
      // Requests carry models too, so a peer receives more models than it asks for.
      case Dpfl _, Pfedwn _ -> false;
      default -> true;
    };
  }

  @ParameterizedTest
  @MethodSource("searching")
  void everyPeerFindsAndPullsModelsInTheLastRound(Method method) {
    SmallSimulation.FinishedRun finishedRun = run(method);
    assertThat(finishedRun.lastDeployed(ROUNDS)).hasSize(PEERS);
    assertThat(found(finishedRun, ROUNDS))
        .hasSize(PEERS)
        .allSatisfy(each -> assertThat(each.peers()).isNotEmpty());
  }

  /**
   * Neighbours and views may be fewer, and a peer that waits for its first contact skips rounds.
   */
  @ParameterizedTest
  @MethodSource("searching")
  void aSearchOfAllPeersFindsAsManyModelsAsAPeerWantsInEveryRound(Method method) {
    Assumptions.assumeTrue(usesSignatures(method));
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
  @MethodSource("discoveries")
  void withoutAttractionItIsLocalTrainingBitForBit(PeerDiscovery discovery) {
    assertThat(models(run(SimilarityMethods.semantic(0, discovery))))
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
                run(
                    new FedProx(
                        0,
                        Aggregation.SERVER,
                        GraphWeights.METROPOLIS,
                        RoundSettings.of(TimeoutPolicy.of(600))))))
        .isEqualTo(models(run(new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(600))))));
  }

  @ParameterizedTest
  @EnumSource(ExactDiscovery.Similarity.class)
  void anExactSearchComparesWhatItIsToldTo(ExactDiscovery.Similarity comparedBy) {
    SmallSimulation.FinishedRun finishedRun =
        run(SimilarityMethods.semantic(2, SimilarityMethods.exact(comparedBy)));
    assertThat(finishedRun.lastDeployed(ROUNDS)).hasSize(PEERS);
  }

  @Test
  void differentMeasuresFindDifferentPeers() {
    PeerDiscovery byUpdate = SimilarityMethods.exact(ExactDiscovery.Similarity.UPDATE);
    assertThat(found(run(SimilarityMethods.semantic(2, byUpdate)), ROUNDS))
        .isNotEqualTo(
            found(run(SimilarityMethods.semantic(2, SimilarityMethods.random())), ROUNDS));
  }

  @Test
  void aShellWithoutAGlobalViewRefusesAnExactSearch() {
    Method exact =
        SimilarityMethods.semantic(2, SimilarityMethods.exact(ExactDiscovery.Similarity.SIGNATURE));
    assertThatThrownBy(() -> SmallSimulation.of(3, 1).run(exact, ShellService.NONE))
        .hasMessageContaining("offers no service");
  }

  @Test
  void viewsAndNeighboursNeedNoServiceOfTheShell() {
    for (PeerDiscovery each : List.of(SimilarityMethods.views(), new NeighbourDiscovery())) {
      Method method = SimilarityMethods.semantic(2, each);
      assertThat(method.needsGlobalView()).isFalse();
      assertThat(SmallSimulation.of(4, 2).run(method, ShellService.NONE).lastDeployed(2))
          .hasSize(4);
    }
  }

  @Test
  void onlyNeighboursAreFoundAmongNeighbours() {
    SmallSimulation simulation = SmallSimulation.of(PEERS, ROUNDS);
    Method method = SimilarityMethods.semantic(2, new NeighbourDiscovery());
    SmallSimulation.FinishedRun finishedRun = simulation.run(method);
    Graph graph = finishedRun.simulation().initialGraph();
    int searches = 0;
    for (ObservationListener.Observed each : finishedRun.observed()) {
      if (each.observation() instanceof Observation.SearchCompleted searchCompleted) {
        searches++;
        for (PeerId candidate : searchCompleted.peers()) {
          assertThat(graph.hasEdge((int) each.peer().number(), (int) candidate.number()))
              .as("%s pulls from %s", each.peer(), candidate)
              .isTrue();
        }
      }
    }
    assertThat(searches).isGreaterThanOrEqualTo(PEERS);
  }

  @Test
  void exchangesOfViewsCountAsMessagesOfTheSearch() {
    Traffic traffic = run(SimilarityMethods.semantic(2, SimilarityMethods.views())).traffic();
    assertThat(traffic.searches().queries()).isPositive();
    assertThat(traffic.searches().messages()).isPositive();
    assertThat(traffic.searches().bytes())
        .isPositive()
        .isLessThan(traffic.totals(0).controlBytes());
    assertThat(
            run(SimilarityMethods.semantic(2, new NeighbourDiscovery()))
                .traffic()
                .searches()
                .messages())
        .isZero();
  }

  @Test
  void viewsOfAnHonestNetworkFillAndAccuseNoPeer() {
    SmallSimulation.FinishedRun finishedRun =
        SmallSimulation.of(PEERS, 6).run(SimilarityMethods.semantic(2, SimilarityMethods.views()));
    assertThat(finishedRun.simulation().counts().keySet())
        .doesNotContain("false-sketch-claim", "false-sketch-relay");
    for (PeerId peer : finishedRun.simulation().globalView().livePeers()) {
      DiscoveryState state =
          (DiscoveryState) finishedRun.simulation().globalView().state(peer).layers().getFirst();
      assertThat(state.distrusted()).isEmpty();
      assertThat(state.entries()).hasSizeGreaterThan(2);
    }
  }
}
