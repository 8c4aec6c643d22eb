package io.kindred.methods.robust;

import static io.kindred.methods.robust.Inputs.equal;
import static io.kindred.methods.robust.Inputs.server;
import static io.kindred.methods.robust.Inputs.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.weights.Weights;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every rule on models whose mixture can be computed by hand. */
class RobustRulesTest {
  private static void assertMixed(RobustMixture mixture, double... expected) {
    float[] values = mixture.weights().copy();
    assertThat(values).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) values[i]).as("weight %d", i).isCloseTo(expected[i], within(1e-5));
    }
  }

  private static List<Treatment> treatments(RobustMixture mixture) {
    return mixture.contributions().stream().map(RobustMixture.Contribution::treatment).toList();
  }

  @Test
  void asPublishedIsTheWeightedMean() {
    assertMixed(new AsPublished().mix(equal(weights(0, 3), weights(3, 0), weights(6, 0))), 3, 1);
  }

  @Test
  void aStepLongerThanTheOwnUpdateTimesTheFactorIsClipped() {
    // The own update is (3, 4) with length 5. The step (30, 40) has length 50 and is cut to 10,
    // which is (6, 8); the step (0, 1) stays.
    RobustMixture mixture =
        new NormClip(2).mix(equal(weights(3, 4), weights(33, 44), weights(3, 5)));
    assertMixed(mixture, 3 + 6.0 / 3, 4 + 8.0 / 3 + 1.0 / 3);
    assertThat(treatments(mixture)).containsExactly(Treatment.SHORTENED, Treatment.FULL);
    assertThat(mixture.contributions().getFirst().weight()).isCloseTo(0.2 / 3, within(1e-9));
  }

  @Test
  void aServerClipsUpdatesToTheirMedianLength() {
    // Updates of lengths 1, 2 and 100 from the model (1, 1); the lower median is 2.
    RobustMixture mixture =
        new NormClip(1).mix(server(weights(1, 1), weights(2, 1), weights(1, 3), weights(101, 1)));
    assertMixed(mixture, 1 + (1 + 2) / 3.0, 1 + 2 / 3.0);
  }

  @Test
  void theMedianIsTakenCoordinateByCoordinate() {
    assertMixed(
        new CoordinateMedian().mix(equal(weights(1, 9), weights(2, -5), weights(1000, 0))), 2, 0);
    assertMixed(
        new CoordinateMedian()
            .mix(equal(weights(1, 1), weights(2, 4), weights(4, 2), weights(9, -9))),
        3,
        1.5);
  }

  @Test
  void theTrimmedMeanLeavesOutAsManyAtEachEndAsTheShareSaysRoundedUp() {
    // A fifth of six models is 1.2, so two are left out at each end.
    RobustMixture mixture =
        new TrimmedMean(0.2)
            .mix(
                equal(weights(1), weights(2), weights(3), weights(7), weights(900), weights(-900)));
    assertMixed(mixture, 2.5);
    assertMixed(new TrimmedMean(0).mix(equal(weights(1), weights(2), weights(6))), 3);
    assertMixed(new TrimmedMean(0.5).mix(equal(weights(1), weights(2))), 1.5);
  }

  @Test
  void krumTakesTheModelNearestToItsNearestModels() {
    // Five models and one hostile: n - f - 2 = 2 nearest. Squared distances of 2: 1 + 1 = 2; of 1
    // and 3: 1 + 4 = 5; of 0: 1 + 4 = 5; of 100: 9409 + 9604.
    RobustInput input = equal(weights(0), weights(1), weights(2), weights(3), weights(100));
    RobustMixture mixture = new Krum(0.2).mix(input);
    assertThat(mixture.weights().get(0)).isIn(1f, 2f);
    assertMixed(mixture, 1);
    assertThat(treatments(mixture))
        .containsExactly(Treatment.FULL, Treatment.DROPPED, Treatment.DROPPED, Treatment.DROPPED);
    assertMixed(new MultiKrum(0.2).mix(input), 1.5);
  }

  @Test
  void theGeometricMedianOfPointsOnALineIsTheMiddleOne() {
    RobustInput line = equal(weights(0), weights(1), weights(2), weights(3), weights(1000));
    assertMixed(new GeometricMedian(200, 1e-9).mix(line), 2);
  }

  @Test
  void theGeometricMedianOfATriangleIsItsFermatPoint() {
    // All sides of an equilateral triangle are seen from its centre under 120 degrees.
    float height = (float) Math.sqrt(3);
    RobustMixture mixture =
        new GeometricMedian(100, 1e-9)
            .mix(equal(weights(-1, 0), weights(1, 0), weights(0, height)));
    assertMixed(mixture, 0, height / 3);
  }

  @Test
  void oneWeiszfeldStepWeighsByTheInverseDistanceFromTheMean() {
    // The mean of 0, 0 and 3 is 1, at distances 1, 1 and 2: weights 1, 1 and 1/2 of 2.5.
    assertMixed(
        new GeometricMedian(1, 1e-9).mix(equal(weights(0), weights(0), weights(3))), 3 * 0.5 / 2.5);
  }

  @Test
  void theCosineGateDropsWhatPointsAwayFromTheOwnUpdate() {
    RobustMixture mixture =
        new CosineGate(0, 0).mix(equal(weights(2, 0), weights(5, 5), weights(-1, 6)));
    assertMixed(mixture, 2 * 2 / 3.0 + 5 / 3.0, 5 / 3.0);
    assertThat(treatments(mixture)).containsExactly(Treatment.FULL, Treatment.DROPPED);
    // The step from (2, 0) to (12, 0) has length 10, five times the own update of length 2.
    assertMixed(new CosineGate(0, 1).mix(equal(weights(2, 0), weights(12, 0))), 2 + 2 / 2.0, 0);
  }

  @Test
  void onAServerTheMedianOfTheClientsGivesTheDirection() {
    RobustMixture mixture =
        new CosineGate(0, 0)
            .mix(server(weights(1, 1), weights(2, 1), weights(4, 1), weights(-9, 1)));
    assertMixed(mixture, (2 + 4 + 1) / 3.0, 1);
  }

  @Test
  void theHeldOutGateMixesAsTheMethodAndAsksForSamples() {
    RobustInput input = equal(weights(0), weights(4));
    assertThat(new HeldOutGate(0).mix(input)).isEqualTo(new AsPublished().mix(input));
    assertThat(new HeldOutGate(0).needsSamples()).isTrue();
    assertThat(new NormClip(2).needsSamples()).isFalse();
  }

  @Test
  void modelsOfEnormousLengthLeaveEveryBoundedRuleFinite() {
    Weights huge = weights(3e38f, -3e38f);
    for (RobustRule rule :
        List.of(
            new NormClip(2),
            new CoordinateMedian(),
            new TrimmedMean(0.34),
            new Krum(0.2),
            new MultiKrum(0.2),
            new GeometricMedian(8, 1e-6),
            new CosineGate(0, 3))) {
      RobustMixture mixture =
          rule.mix(equal(weights(1, 1), weights(1, 2), weights(2, 1), weights(2, 2), huge));
      assertThat(mixture.weights().isFinite()).as("%s", rule).isTrue();
      assertThat(Math.abs(mixture.weights().get(0))).as("%s", rule).isLessThan(10);
    }
  }

  @Test
  void sortingNetworksEqualSortingForEveryNumberOfModels() {
    for (int count = 1; count <= 13; count++) {
      Weights[] others = new Weights[count];
      int size = 1500;
      float[][] values = new float[count + 1][size];
      for (int model = 0; model <= count; model++) {
        for (int i = 0; i < size; i++) {
          values[model][i] = (float) Math.sin(1.0 + 31.0 * i + 977.0 * model * model);
        }
        if (model > 0) {
          others[model - 1] = weights(values[model]);
        }
      }
      Weights median = new CoordinateMedian().mix(equal(weights(values[0]), others)).weights();
      for (int i : List.of(0, 7, 1023, 1024, 1499)) {
        float[] column = new float[count + 1];
        for (int model = 0; model <= count; model++) {
          column[model] = values[model][i];
        }
        Arrays.sort(column);
        double middle = (column[count / 2] + column[(count + 1) / 2]) / 2.0;
        assertThat((double) median.get(i)).isCloseTo(middle, within(1e-6));
      }
    }
  }
}
