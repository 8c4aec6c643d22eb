package io.kindred.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.work.Predictor;
import io.kindred.methods.Local;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.rounds.Over;
import io.kindred.methods.semantic.ClassSimilarity;
import io.kindred.methods.semantic.Oracle;
import io.kindred.methods.semantic.RandomK;
import io.kindred.methods.semantic.SemanticDfl;
import io.kindred.protocol.overlay.LifeRule;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.TinyWorld;
import io.kindred.simulator.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods that look for those alike, in whole runs, and what they become at their limits. */
class KinTest {
  private static final int PEERS = 8;
  private static final int ROUNDS = 3;

  private static ShellService oracle() {
    return new ExactSearch(new RandomStreams(1));
  }

  private static TinyWorld.Ended run(Method method) {
    return TinyWorld.of(PEERS, ROUNDS).run(method, oracle());
  }

  static List<Method> searching() {
    return List.of(
        Kindred.semantic(2, SemanticDfl.Search.OVERLAY),
        Kindred.semantic(2, SemanticDfl.Search.EXACT),
        Kindred.semantic(2, Kindred.OVERLAY.with(LifeRule.NONE.with(1))),
        new RandomK(Kindred.pulling(2), Kindred.SIGNATURES),
        new ClassSimilarity(
            Kindred.pulling(2),
            SemanticDfl.Search.OVERLAY,
            new SearchRule(8, SearchRule.Reading.NODE, 0),
            0,
            Kindred.OVERLAY));
  }

  private static List<Observation.Found> found(TinyWorld.Ended ended, int round) {
    List<Observation.Found> all = new ArrayList<>();
    for (Watcher.Observed each : ended.observed()) {
      if (each.observation() instanceof Observation.Found found && found.round() == round) {
        all.add(found);
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("searching")
  void everybodyFindsAndPullsAsManyAsItWantsInEveryRound(Method method) {
    TinyWorld.Ended ended = run(method);
    for (int round = 1; round <= ROUNDS; round++) {
      assertThat(ended.lastDeployed(round)).as("round %d", round).hasSize(PEERS);
      assertThat(found(ended, round)).hasSize(PEERS);
    }
    assertThat(found(ended, ROUNDS)).allSatisfy(each -> assertThat(each.peers()).hasSize(2));
    for (int peer = 0; peer < PEERS; peer++) {
      assertThat(ended.traffic().account(peer).pulled()).isEqualTo(2 * ROUNDS);
    }
  }

  @ParameterizedTest
  @MethodSource("searching")
  void aCutAtAnyTimeChangesNothing(Method method) {
    TinyWorld world = TinyWorld.of(5, 2);
    TinyWorld.Ended whole = world.run(method, oracle());
    TinyWorld.Ended cut = world.runWithCuts(method, oracle(), 3);
    assertThat(cut.traceHash()).isEqualTo(whole.traceHash());
    assertThat(cut.observed()).isEqualTo(whole.observed());
  }

  private static SortedMap<PeerId, Predictor> models(TinyWorld.Ended ended) {
    SortedMap<PeerId, Predictor> last = new TreeMap<>();
    for (Watcher.Observed each : ended.observed()) {
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
    assertThat(models(run(Kindred.semantic(0, search)))).isEqualTo(models(run(new Local())));
  }

  @Test
  void aLooseLeashMakesDittosOwnModelALocalOne() {
    assertThat(models(run(new Ditto(0, Over.SERVER, Patience.of(600)))))
        .isEqualTo(models(run(new Local())));
  }

  @Test
  void fedproxThatHoldsNothingIsFederatedAveragingBitForBit() {
    assertThat(models(run(new FedProx(0, Over.SERVER, Patience.of(600), 0))))
        .isEqualTo(models(run(new FedAvg(0, 0, Patience.of(600), 0))));
  }

  @ParameterizedTest
  @EnumSource(Oracle.By.class)
  void anExactSearchComparesWhatItIsToldTo(Oracle.By by) {
    TinyWorld.Ended ended = run(Kindred.semantic(2, SemanticDfl.Search.EXACT, by));
    assertThat(ended.lastDeployed(ROUNDS)).hasSize(PEERS);
  }

  @Test
  void differentMeasuresFindDifferentPeers() {
    assertThat(found(run(Kindred.semantic(2, SemanticDfl.Search.EXACT, Oracle.By.UPDATE)), ROUNDS))
        .isNotEqualTo(
            found(run(Kindred.semantic(2, SemanticDfl.Search.EXACT, Oracle.By.CHANCE)), ROUNDS));
  }

  @Test
  void aShellThatSeesNobodyRefusesAnExactSearch() {
    assertThatThrownBy(
            () ->
                TinyWorld.of(3, 1)
                    .run(Kindred.semantic(2, SemanticDfl.Search.EXACT), ShellService.NONE))
        .hasMessageContaining("nobody answers");
  }
}
