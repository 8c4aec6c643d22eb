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
      counts[
          (int)
              new SimilarityDraw(0.1, false)
                  .draw(CANDIDATES, 1, random)
                  .getFirst()
                  .peer()
                  .number()]++;
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
      counts[
          (int)
              new SimilarityDraw(1e6, false)
                  .draw(CANDIDATES, 1, random)
                  .getFirst()
                  .peer()
                  .number()]++;
      assertThat(new SimilarityDraw(1e-4, false).draw(CANDIDATES, 2, random))
          .containsExactly(CANDIDATES.get(0), CANDIDATES.get(1));
    }
    for (int peer = 1; peer <= 4; peer++) {
      assertThat(counts[peer] / 20_000).isEqualTo(0.25, within(0.015));
    }
  }

  @Test
  void aDrawHasNoPeerTwiceAndTheMostSimilarFirst() {
    for (long seed = 0; seed < 200; seed++) {
      List<Candidate> drawn = new SimilarityDraw(0.5, false).draw(CANDIDATES, 3, random(seed));
      assertThat(new TreeSet<>(drawn.stream().map(Candidate::peer).toList())).hasSize(3);
      assertThat(drawn).isSortedAccordingTo(Candidate.BEST_FIRST);
    }
    assertThat(new SimilarityDraw(0.5, false).draw(CANDIDATES, 9, random(1))).hasSize(4);
  }

  /** Cosines that approach one together, as those of models with a growing common part do. */
  private static List<Candidate> closer(double factor) {
    return CANDIDATES.stream()
        .map(each -> new Candidate(each.peer(), (float) (1 - factor * (1 - each.similarity()))))
        .toList();
  }

  @Test
  void relativeSimilaritiesKeepPeersApartWhenAllCosinesApproachOne() {
    SimilarityDraw relative = new SimilarityDraw(0.1, true);
    SimilarityDraw absolute = new SimilarityDraw(0.1, false);
    int unlike = 0;
    for (long seed = 0; seed < 500; seed++) {
      List<PeerId> drawn = peers(relative.draw(CANDIDATES, 2, random(seed)));
      assertThat(peers(relative.draw(closer(0.32), 2, random(seed)))).isEqualTo(drawn);
      assertThat(drawn).doesNotContain(new PeerId(4));
      unlike += peers(absolute.draw(closer(0.32), 2, random(seed))).contains(new PeerId(4)) ? 1 : 0;
    }
    assertThat(unlike).isGreaterThan(10);
  }

  /**
   * The last of four counts like the third, so the mean of 0.3, 0.25, 0.1, 0.1 and the own 1 is
   * 0.35; peer 1 counts (0.3 - 0.35) / 0.65.
   */
  @Test
  void aRelativeSimilarityIsTheDistanceFromTheMeanAsAShareOfItsDistanceFromOne() {
    double[] similarities = {0.3, 0.25, 0.1, -0.8};
    double[] relative = new SimilarityDraw(0.5, true).keys(similarities, random(3));
    double[] absolute = new SimilarityDraw(0.5, false).keys(similarities, random(3));
    double[] expected = {-0.05 / 0.65, -0.1 / 0.65, -0.25 / 0.65, -1.15 / 0.65};
    for (int i = 0; i < similarities.length; i++) {
      assertThat(relative[i] - absolute[i])
          .isEqualTo((expected[i] - similarities[i]) / 0.5, within(1e-12));
    }
  }

  @Test
  void aThirdOfThePeersCannotBringOtherGroupsNearerHoweverUnlikeTheyAre() {
    SimilarityDraw relative = new SimilarityDraw(0.1, true);
    double[] honest = {0.8, 0.8, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    double[] hostile = {0.8, 0.8, 0.3, 0.3, 0.3, 0.3, -1, -1, -1};
    double[] expected = relative.keys(honest, random(5));
    double[] keys = relative.keys(hostile, random(5));
    for (int i = 0; i < 6; i++) {
      assertThat(keys[i]).as("peer %d", i).isEqualTo(expected[i], within(1e-12));
    }
  }

  @Test
  void peersThatAreNearlyEqualAreDrawnAlike() {
    List<Candidate> same = closer(1e-3);
    double[] counts = new double[5];
    RandomStream random = random(11);
    SimilarityDraw relative = new SimilarityDraw(0.1, true);
    for (int i = 0; i < 20_000; i++) {
      counts[(int) relative.draw(same, 1, random).getFirst().peer().number()]++;
    }
    for (int peer = 1; peer <= 4; peer++) {
      assertThat(counts[peer] / 20_000).isEqualTo(0.25, within(0.05));
    }
  }

  /** The third most similar has 0.1, so the last is left out below 0.1 + 0.5 ln(0.2) = -0.70. */
  @Test
  void aDrawEndsBeforePeersThatAreTooUnlikeTheThirdMostSimilar() {
    SimilarityDraw strict = new SimilarityDraw(0.5, false, 0.2, List.of());
    SimilarityDraw lenient = new SimilarityDraw(0.5, false, 0.16, List.of());
    assertThat(peers(strict.draw(CANDIDATES, 4, random(5))))
        .containsExactly(new PeerId(1), new PeerId(2), new PeerId(3));
    assertThat(lenient.draw(CANDIDATES, 4, random(5))).isEqualTo(CANDIDATES);
    double[] all = {0.3, 0.25, 0.1, -0.8};
    assertThat(strict.leastSimilarity(all, all))
        .isEqualTo(0.1 + 0.5 * Math.log(0.2), within(1e-12));
    // Relative similarities: in units of one minus the mean, 0.35.
    SimilarityDraw relative = new SimilarityDraw(0.5, true, 0.2, List.of());
    assertThat(relative.leastSimilarity(all, all))
        .isEqualTo(0.1 + 0.65 * 0.5 * Math.log(0.2), within(1e-12));
  }

  @Test
  void whereFewerThanThreePeersAreTrustedNoneIsLeftOut() {
    SimilarityDraw strict = new SimilarityDraw(0.1, false, 1, List.of());
    assertThat(strict.leastSimilarity(new double[] {0.9, 0.8, 0.1}, new double[] {0.9, 0.8}))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    List<Candidate> two = CANDIDATES.subList(2, 4);
    assertThat(strict.draw(two, 2, random(1))).isEqualTo(two);
  }

  @Test
  void aMeasuredSimilarityReplacesTheEstimateOfTheDiscovery() {
    List<Candidate> measured = List.of(new Candidate(new PeerId(4), 0.9f));
    SimilarityDraw draw = new SimilarityDraw(1e-3, false, 0, measured);
    assertThat(draw.draw(CANDIDATES, 2, random(2)))
        .containsExactly(measured.getFirst(), CANDIDATES.getFirst());
  }

  private static List<PeerId> peers(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::peer).toList();
  }
}
