package io.kindred.methods.kin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Floats;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoresTest {
  private static final double EXACT = 1e-6;

  private static Floats lossesOf(double... probabilities) {
    float[] losses = new float[probabilities.length];
    for (int i = 0; i < losses.length; i++) {
      losses[i] = (float) -Math.log(probabilities[i]);
    }
    return Floats.wrap(losses);
  }

  @Test
  void theEnsembleIsScoredByTheMeanOfTheProbabilities() {
    Scores scores =
        Scores.ofProbabilities(List.of(lossesOf(0.9, 0.3), lossesOf(0.6, 0.6), lossesOf(0.3, 0.9)));
    assertThat(scores.samples()).isEqualTo(2);
    assertThat(scores.values().get(0))
        .isEqualTo(-(Math.log(0.9) + Math.log(0.3)) / 2, within(EXACT));
    assertThat(scores.values().get(3)).isEqualTo(-Math.log(0.6), within(EXACT));
  }

  @Test
  void oneHopelessSampleCountsAsAProbabilityOfOneInTenThousand() {
    Scores scores = Scores.ofProbabilities(List.of(lossesOf(1e-30), lossesOf(0.5), lossesOf(0.5)));
    assertThat(scores.values().get(0)).isEqualTo(-Math.log(1e-4), within(EXACT));
  }

  @Test
  void errorsOfARegressionHaveNoEnsemble() {
    Scores scores = Scores.ofErrors(List.of(Floats.of(1, 3), Floats.of(2, 2), Floats.of(0, 1)));
    assertThat(scores.values()).containsExactly(2.0, 2.0, 0.5);
    assertThat(scores.best()).isEqualTo(Choice.ALONE);
  }

  @Test
  void newerScoresCountForThreeTenths() {
    Scores followed =
        new Scores(List.of(1.0, 2.0, 3.0), 5).followedBy(new Scores(List.of(2.0, 2.0, 0.0), 5));
    assertThat(followed.values().get(0)).isEqualTo(1.3, within(EXACT));
    assertThat(followed.values().get(2)).isEqualTo(2.1, within(EXACT));
  }

  @Test
  void sentScoresAreDifferencesFromTheMeanWithinBounds() {
    assertThat(new Scores(List.of(1.0, 1.2, 1.4, 4.4), 5).centred().values())
        .containsExactly(-0.5, -0.5, -0.5, 0.5);
    assertThat(new Scores(List.of(0.1, 0.3), 5).centred().values().get(0))
        .isEqualTo(-0.1, within(EXACT));
  }

  @Test
  void scoresOutOfBoundsAreNotUsed() {
    assertThat(new Scores(List.of(0.5, -0.5, 0.0, 0.0), 4).isUsable(4)).isTrue();
    assertThat(new Scores(List.of(0.6, -0.5, 0.0, 0.0), 4).isUsable(4)).isFalse();
    assertThat(new Scores(List.of(Double.NaN, -0.5, 0.0, 0.0), 4).isUsable(4)).isFalse();
    assertThat(new Scores(List.of(0.0, 0.0, 0.0), 4).isUsable(4)).isFalse();
    assertThat(new Scores(List.of(0.0, 0.0, 0.0, 0.0), 0).isUsable(4)).isFalse();
    assertThat(new Scores(List.of(0.0, 0.0, 0.0, 0.0), Integer.MAX_VALUE).isUsable(4)).isFalse();
  }

  /** Three peers with 10, 10 and 1,000 held-out samples: the third counts as 30. */
  @Test
  void theFirstHopWeighsBySamplesUpToThreeTimesTheMedian() {
    List<Scores> all =
        List.of(
            new Scores(List.of(0.5, -0.5), 10),
            new Scores(List.of(0.5, -0.5), 10),
            new Scores(List.of(-0.5, 0.5), 1_000));
    Scores mean = Scores.weightedMean(all, 3).orElseThrow();
    assertThat(mean.values().get(0)).isEqualTo((5 + 5 - 15) / 50.0, within(EXACT));
    assertThat(Scores.plainMean(all).orElseThrow().values().get(0))
        .isEqualTo(0.5 / 3, within(EXACT));
    assertThat(Scores.plainMean(List.of())).isEmpty();
  }

  @Test
  void theFirstOfEqualScoresIsTheBest() {
    assertThat(new Scores(List.of(0.2, 0.1, 0.1, 0.3), 4).best()).isEqualTo(Choice.PERSONAL);
  }
}
