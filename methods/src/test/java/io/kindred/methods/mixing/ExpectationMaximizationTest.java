package io.kindred.methods.mixing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationMaximizationTest {
  private static final float IMPOSSIBLE = Float.POSITIVE_INFINITY;

  @Test
  void oneStepIsTheArithmeticOfTheEquations() {
    // Likelihoods 1/2 and 1/4 of the first sample, 1/8 and 1/2 of the second; shares 1/4 and 3/4.
    List<Floats> losses =
        List.of(
            Floats.of((float) Math.log(2), (float) Math.log(8)),
            Floats.of((float) Math.log(4), (float) Math.log(2)));
    List<Floats> responsibilities =
        ExpectationMaximization.responsibilities(losses, List.of(0.25, 0.75));
    assertThat((double) responsibilities.get(0).get(0)).isCloseTo(0.4, within(1e-6));
    assertThat((double) responsibilities.get(0).get(1)).isCloseTo(1.0 / 13, within(1e-6));
    assertThat(ExpectationMaximization.shares(responsibilities).getFirst())
        .isCloseTo((0.4 + 1.0 / 13) / 2, within(1e-6));
  }

  /** A neighbour with the same labels, one with half of them, one with others. */
  @Test
  void plantedNeighboursGetSharesInTheOrderOfTheirKinship() {
    RandomStream random = new RandomStreams(3).stream(new Purpose("test"), 0, 0);
    float[] same = new float[400];
    float[] overlapping = new float[400];
    float[] disjoint = new float[400];
    for (int i = 0; i < 400; i++) {
      same[i] = (float) random.uniform(0.1, 0.9);
      overlapping[i] = (float) (i % 2 == 0 ? random.uniform(0.1, 0.9) : random.uniform(3, 6));
      disjoint[i] = (float) random.uniform(3, 9);
    }
    ExpectationMaximization.Fit fit =
        ExpectationMaximization.fit(
            List.of(Floats.wrap(disjoint), Floats.wrap(same), Floats.wrap(overlapping)),
            ExpectationMaximization.uniform(3),
            200,
            1e-5);
    assertThat(fit.converged()).isTrue();
    assertThat(fit.shares().get(1)).isGreaterThan(0.5).isGreaterThan(fit.shares().get(2));
    assertThat(fit.shares().get(2)).isGreaterThan(fit.shares().get(0));
    assertThat(fit.shares().get(0)).isLessThan(0.02);
    assertSumsToOne(fit.shares());
  }

  @Test
  void stepsNeverMakeTheSamplesLessLikely() {
    RandomStream random = new RandomStreams(4).stream(new Purpose("test"), 0, 0);
    List<Floats> losses = new ArrayList<>();
    for (int m = 0; m < 5; m++) {
      float[] row = new float[60];
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) random.uniform(0, 12);
      }
      losses.add(Floats.wrap(row));
    }
    List<Double> shares = List.of(0.1, 0.2, 0.3, 0.05, 0.35);
    double before = Double.NEGATIVE_INFINITY;
    for (int step = 0; step < 30; step++) {
      double now = logLikelihood(losses, shares);
      assertThat(now).isGreaterThanOrEqualTo(before - 1e-6);
      before = now;
      shares = ExpectationMaximization.fit(losses, shares, 1, 0).shares();
      assertSumsToOne(shares);
    }
  }

  private static double logLikelihood(List<Floats> losses, List<Double> shares) {
    double sum = 0;
    for (int i = 0; i < losses.getFirst().size(); i++) {
      double likelihood = 0;
      for (int m = 0; m < losses.size(); m++) {
        likelihood += shares.get(m) * Math.exp(-losses.get(m).get(i));
      }
      sum += Math.log(likelihood);
    }
    return sum;
  }

  @Test
  void samplesThatNoModelExplainsLeaveTheSharesUnchanged() {
    List<Floats> losses =
        List.of(Floats.of(IMPOSSIBLE, IMPOSSIBLE), Floats.of(Float.NaN, IMPOSSIBLE));
    assertThat(ExpectationMaximization.fit(losses, List.of(0.25, 0.75), 10, 0).shares())
        .containsExactly(0.25, 0.75);
    // Losses that underflow as likelihoods still tell components apart.
    List<Floats> huge = List.of(Floats.of(5000), Floats.of(5010));
    assertThat(ExpectationMaximization.fit(huge, List.of(0.5, 0.5), 100, 1e-9).shares().getFirst())
        .isCloseTo(1, within(1e-6));
    // A component without a share cannot win one back, and divides nothing by zero.
    List<Floats> hopeless = List.of(Floats.of(1), Floats.of(IMPOSSIBLE));
    assertThat(ExpectationMaximization.fit(hopeless, List.of(0.0, 1.0), 5, 0).shares())
        .containsExactly(0.0, 1.0);
    assertThat(
            ExpectationMaximization.fit(List.of(Floats.of(), Floats.of()), List.of(0.5, 0.5), 5, 0)
                .shares())
        .containsExactly(0.5, 0.5);
  }

  @Test
  void aNearModelGetsMoreAttentionThanAFarOne() {
    Layout layout = Layout.builder().add("all", 2).build();
    Weights own = Weights.copyOf(layout, new float[] {0, 0});
    Weights near = Weights.copyOf(layout, new float[] {1, 0});
    Weights middle = Weights.copyOf(layout, new float[] {0, 2});
    Weights far = Weights.copyOf(layout, new float[] {0, 4});
    Attention.AttentionShares attentionShares =
        (Attention.AttentionShares) new Attention(own, List.of(far, near, middle), 0.9, 1).apply();
    // Squared distances 16, 1 and 4; the median is 4.
    assertThat(attentionShares.shares().get(0)).isCloseTo(0.3 * Math.exp(-4), within(1e-9));
    assertThat(attentionShares.shares().get(1)).isCloseTo(0.3 * Math.exp(-0.25), within(1e-9));
    assertThat(attentionShares.shares().get(2)).isCloseTo(0.3 * Math.exp(-1), within(1e-9));
    Attention.AttentionShares equal =
        (Attention.AttentionShares) new Attention(own, List.of(own), 0.9, 1).apply();
    assertThat(equal.shares()).containsExactly(0.9);
  }

  private static void assertSumsToOne(List<Double> shares) {
    assertThat(shares.stream().mapToDouble(Double::doubleValue).sum()).isCloseTo(1, within(1e-9));
    assertThat(shares).allMatch(share -> share >= 0);
  }
}
