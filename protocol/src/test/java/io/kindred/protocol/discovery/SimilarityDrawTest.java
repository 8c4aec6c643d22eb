package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.overlay.Candidate;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimilarityDrawTest {
  private static final List<Candidate> CANDIDATES =
      List.of(
          new Candidate(new PeerId(1), 0.30f),
          new Candidate(new PeerId(2), 0.25f),
          new Candidate(new PeerId(3), 0.10f),
          new Candidate(new PeerId(4), -0.80f));

  private static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(new Purpose("draw-test"), 0, 0);
  }

  /** The share of the draws of one peer is exp(similarity / temperature) of the sum. */
  @Test
  void onePeerIsDrawnInProportionToTheExponentialOfItsSimilarity() {
    int draws = 40_000;
    double[] counts = new double[5];
    RandomStream random = random(20261118);
    for (int i = 0; i < draws; i++) {
      counts[(int) SimilarityDraw.draw(CANDIDATES, 1, 0.1, random).getFirst().peer().number()]++;
    }
    double sum = 0;
    for (Candidate each : CANDIDATES) {
      sum += Math.exp(each.similarity() / 0.1);
    }
    for (Candidate each : CANDIDATES) {
      assertThat(counts[(int) each.peer().number()] / draws)
          .as("%s", each)
          // Four standard deviations of a share of one half.
          .isEqualTo(Math.exp(each.similarity() / 0.1) / sum, within(0.01));
    }
  }

  @Test
  void aHighTemperatureDrawsAllAlikeAndALowOneTheMostSimilar() {
    double[] counts = new double[5];
    RandomStream random = random(7);
    for (int i = 0; i < 20_000; i++) {
      counts[(int) SimilarityDraw.draw(CANDIDATES, 1, 1e6, random).getFirst().peer().number()]++;
      assertThat(SimilarityDraw.draw(CANDIDATES, 2, 1e-4, random))
          .containsExactly(CANDIDATES.get(0), CANDIDATES.get(1));
    }
    for (int peer = 1; peer <= 4; peer++) {
      assertThat(counts[peer] / 20_000).isEqualTo(0.25, within(0.015));
    }
  }

  @Test
  void aDrawHasNoPeerTwiceAndTheMostSimilarFirst() {
    for (long seed = 0; seed < 200; seed++) {
      List<Candidate> drawn = SimilarityDraw.draw(CANDIDATES, 3, 0.5, random(seed));
      assertThat(new TreeSet<>(drawn.stream().map(Candidate::peer).toList())).hasSize(3);
      assertThat(drawn).isSortedAccordingTo(Candidate.BEST_FIRST);
    }
    assertThat(SimilarityDraw.draw(CANDIDATES, 9, 0.5, random(1))).hasSize(4);
  }
}
