package io.kindred.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.Oracle;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.simulator.GlobalView;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.SmallSimulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answers of {@link SimilarityRanking}, computed apart from the states they are about. */
class ExactNeighboursTest {
  private static final int PEERS = 7;
  private static final int MOST = 4;

  private static GlobalView trained() {
    return SmallSimulation.of(PEERS, 2)
        .run(
            SimilarityMethods.semantic(
                2, SimilarityMethods.exact(ExactDiscovery.Similarity.SIGNATURE)),
            new ExactSearch(new RandomStreams(1)))
        .simulation()
        .globalView();
  }

  @Test
  void bySignatureTheyAreThoseOfTheRanking() {
    GlobalView view = trained();
    for (PeerId peer : view.livePeers()) {
      assertThat(ExactNeighbours.BySignature.of(peer, view, MOST).orElseThrow().compute())
          .hasSize(MOST)
          .isEqualTo(
              new SimilarityRanking().nearest(peer, view, Oracle.ComparedBy.SIGNATURE, MOST));
    }
  }

  @Test
  void byWeightsTheyAreThoseOfTheRankingForAllPeersTogether() {
    GlobalView view = trained();
    List<ExactNeighbours.ByWeights> asked = new ArrayList<>();
    List<List<Candidate>> ranked = new ArrayList<>();
    for (PeerId peer : view.livePeers()) {
      asked.add(ExactNeighbours.ByWeights.of(peer, view, MOST).orElseThrow());
      ranked.add(new SimilarityRanking().nearest(peer, view, Oracle.ComparedBy.WEIGHTS, MOST));
    }
    assertThat(ExactNeighbours.ByWeights.compute(asked)).hasSize(PEERS).isEqualTo(ranked);
    assertThat(ExactNeighbours.ByWeights.compute(asked.subList(2, 3)))
        .isEqualTo(ranked.subList(2, 3));
  }

  @Test
  void aPeerWithoutAModelToFindHasNone() {
    GlobalView view =
        SmallSimulation.of(3, 1).run(new Local(), ShellService.NONE).simulation().globalView();
    assertThat(ExactNeighbours.BySignature.of(new PeerId(0), view, MOST)).isEmpty();
    assertThat(ExactNeighbours.ByWeights.of(new PeerId(0), view, MOST)).isEmpty();
  }
}
