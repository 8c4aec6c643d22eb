package io.kindred.studies.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.topology.KRegular;
import io.kindred.protocol.overlay.OverlayLocalMessage.SearchFinished;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.SearchRule.BeamScope;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OverlaySearchTest {
  private static final int PEERS = 40;
  private static final int WANTED = 5;

  /** Every peer queries once. */
  private static final class OneQueryPerPeer implements OverlaySimulation.QueryWorkload {
    private final int wanted;
    private final SearchRule rule;
    private final SortedMap<PeerId, SearchFinished> answers = new TreeMap<>();

    OneQueryPerPeer(int wanted, SearchRule rule) {
      this.wanted = wanted;
      this.rule = rule;
    }

    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      return answers.containsKey(peer)
          ? Optional.empty()
          : Optional.of(new QueryClient.IssueQuery(0, wanted, rule, 1 + 1000 * peer.number()));
    }

    @Override
    public void answered(PeerId peer, SearchFinished answer) {
      answers.put(peer, answer);
    }
  }

  private static SortedMap<PeerId, SearchFinished> ask(SearchRule rule, long seed) {
    return ask(WANTED, rule, seed);
  }

  private static SortedMap<PeerId, SearchFinished> ask(int wanted, SearchRule rule, long seed) {
    OneQueryPerPeer oneQueryPerPeer = new OneQueryPerPeer(wanted, rule);
    SimulatedEnvironment environment = SmallOverlays.world(PEERS, new KRegular(4), seed);
    OverlaySimulation overlay =
        SmallOverlays.newSimulation(
            environment,
            SmallOverlays.settings(6, OverlaySettings.RootDissemination.TREE),
            oneQueryPerPeer,
            new UncheckedProofVerifier());
    overlay.run();
    assertThat(overlay.structure().violations()).isEmpty();
    assertThat(oneQueryPerPeer.answers).hasSize(PEERS);
    assertThat(overlay.simulation().counts()).doesNotContainKey("overlay-unanswered");
    return oneQueryPerPeer.answers;
  }

  /** A query for all peers returns all peers: no part of the search loses candidates. */
  @ParameterizedTest
  @EnumSource(BeamScope.class)
  void aSearchForAllPeersFindsAllPeers(BeamScope beamScope) {
    PeerSignatures signatures = SmallOverlays.drawSignatures(PEERS, 2);
    ask(PEERS - 1, new SearchRule(4096, beamScope, 100_000), 2)
        .forEach(
            (peer, answer) ->
                assertThat(answer.candidates().stream().map(each -> each.peer()).toList())
                    .containsExactlyInAnyOrderElementsOf(
                        signatures.nearest((int) peer.number(), PEERS - 1).stream()
                            .map(each -> each.peer())
                            .toList()));
  }

  @ParameterizedTest
  @EnumSource(BeamScope.class)
  void candidatesAreDistinctSortedAndNeverTheAsker(BeamScope beamScope) {
    PeerSignatures signatures = SmallOverlays.drawSignatures(PEERS, 1);
    ask(new SearchRule(2, beamScope, 0), 1)
        .forEach(
            (peer, answer) -> {
              List<PeerId> found = answer.candidates().stream().map(each -> each.peer()).toList();
              assertThat(found).doesNotHaveDuplicates().doesNotContain(peer);
              assertThat(answer.candidates())
                  .isSortedAccordingTo((a, b) -> Float.compare(b.similarity(), a.similarity()));
              for (var each : answer.candidates()) {
                double exact =
                    signatures
                        .signatures()
                        .get((int) peer.number())
                        .cosine(signatures.signatures().get((int) each.peer().number()));
                assertThat((double) each.similarity()).isEqualTo(exact, Offset.offset(1e-6));
              }
            });
  }

  @Test
  void aWiderBeamVisitsMore() {
    double narrow = visited(new SearchRule(1, BeamScope.LEVEL, 0));
    double wide = visited(new SearchRule(4, BeamScope.LEVEL, 0));
    assertThat(wide).isGreaterThan(narrow);
  }

  private static double visited(SearchRule rule) {
    return ask(rule, 3).values().stream()
        .mapToInt(each -> each.cost().visited())
        .average()
        .orElse(0);
  }

  @Test
  void theVisitBudgetIsKept() {
    ask(new SearchRule(8, BeamScope.LEVEL, 4), 1)
        .values()
        .forEach(each -> assertThat(each.cost().visited()).isLessThanOrEqualTo(4));
  }
}
