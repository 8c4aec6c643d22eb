package io.kindred.methods.kin;

import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.kin.Contribution.Verdict;
import io.kindred.methods.kin.GuardModels.GuardedModels;
import io.kindred.methods.kin.GuardModels.PulledModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuardModelsTest {
  private static final Weights START = weights(0, 0);
  private static final Weights OWN = weights(1, 0);
  private static final double EXACT = 1e-6;

  private static PulledModel pulled(long peer, int samples, int age, float... values) {
    return new PulledModel(new PeerId(peer), weights(values), samples, age);
  }

  private static GuardedModels guard(MixSettings settings, PulledModel... models) {
    return new GuardModels(settings, START, OWN, 10, List.of(models), Optional.empty()).apply();
  }

  private static List<Double> weightsOf(GuardedModels guarded) {
    return guarded.contributions().stream().map(Contribution::weight).toList();
  }

  private static List<Verdict> verdictsOf(GuardedModels guarded) {
    return guarded.contributions().stream().map(Contribution::verdict).toList();
  }

  @Test
  void modelsCountBySamplesHalvedForEachRoundOfAge() {
    GuardedModels guarded = guard(KinFixture.MIX, pulled(1, 10, 0, 1, 1), pulled(2, 100, 1, 1, 2));
    // 10 own samples, 10, and 100 / 2.
    assertThat(weightsOf(guarded)).containsExactly(10 / 70.0, 50 / 70.0);
    assertThat(guarded.ownWeight()).isEqualTo(10 / 70.0, within(EXACT));
    assertThat(verdictsOf(guarded)).containsOnly(Verdict.ACCEPTED);
  }

  @Test
  void aCountCountsForAtMostThreeTimesTheMedianOfThePulledModels() {
    GuardedModels guarded =
        guard(
            KinFixture.MIX,
            pulled(1, 10, 0, 1, 1),
            pulled(2, 10, 0, 1, -1),
            pulled(3, 1_000_000, 0, 2, 0));
    assertThat(guarded.cappedSamples()).containsExactly(10.0, 10.0, 30.0);
    assertThat(weightsOf(guarded)).containsExactly(10 / 60.0, 10 / 60.0, 30 / 60.0);
  }

  @Test
  void aModelFartherThanTwiceTheMedianDistanceIsShortenedAndTheOwnModelTakesTheRest() {
    GuardedModels guarded =
        guard(
            KinFixture.MIX,
            pulled(1, 10, 0, 1, 1),
            pulled(2, 10, 0, 1, -1),
            pulled(3, 10, 0, 1, 2.5f));
    assertThat(verdictsOf(guarded))
        .containsExactly(Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.SHORTENED);
    // The third model is two and a half medians away: 2 / 2.5 of its quarter are left.
    assertThat(weightsOf(guarded)).containsExactly(0.25, 0.25, 0.2);
    assertThat(guarded.ownWeight()).isEqualTo(0.3, within(EXACT));
    assertThat(guarded.contributions().getLast().distance()).isEqualTo(2.5, within(EXACT));
  }

  @Test
  void aModelFartherThanTheLargestMultipleOfTheMedianDistanceIsDropped() {
    GuardedModels guarded =
        guard(
            KinFixture.MIX,
            pulled(1, 10, 0, 1, 1),
            pulled(2, 10, 0, 1, -1),
            pulled(3, 10, 0, 1, 1),
            pulled(4, 10, 0, 1, 4),
            pulled(5, 10, 0, 1, 4.1f));
    assertThat(verdictsOf(guarded))
        .containsExactly(
            Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.SHORTENED, Verdict.FAR);
    // Four medians away, 2 / 4 of a sixth is left; beyond that nothing.
    assertThat(weightsOf(guarded)).containsExactly(1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 12.0, 0.0);
    assertThat(guarded.ownWeight()).isEqualTo(5 / 12.0, within(EXACT));
  }

  @Test
  void aModelThatPointsAwayFromTheOwnChangeIsDropped() {
    GuardedModels guarded = guard(KinFixture.MIX, pulled(1, 10, 0, 1, 1), pulled(2, 10, 0, -1, 1));
    assertThat(verdictsOf(guarded)).containsExactly(Verdict.ACCEPTED, Verdict.OPPOSED);
    assertThat(guarded.contributions().getLast().cosine())
        .isEqualTo(-Math.sqrt(0.5), within(EXACT));
    assertThat(weightsOf(guarded)).containsExactly(1 / 3.0, 0.0);
    assertThat(guarded.ownWeight()).isEqualTo(2 / 3.0, within(EXACT));
  }

  @Test
  void aModelAtARightAngleIsDroppedToo() {
    assertThat(verdictsOf(guard(KinFixture.MIX, pulled(1, 10, 0, 0, 1))))
        .containsExactly(Verdict.OPPOSED);
  }

  @Test
  void weightsBeyondTheRangeOfSquaresCountForNothing() {
    GuardedModels guarded =
        guard(KinFixture.MIX, pulled(1, 10, 0, 1, 1), pulled(2, 10, 0, 1e30f, 0));
    assertThat(verdictsOf(guarded)).containsExactly(Verdict.ACCEPTED, Verdict.INCOMPARABLE);
    assertThat(weightsOf(guarded)).containsExactly(0.5, 0.0);
  }

  @Test
  void withoutGuardCapAgeAndSamplesAllModelsCountAlike() {
    GuardedModels guarded =
        guard(
            new MixSettings(false, 0, 1, 0, 0, false),
            pulled(1, 10, 3, -5, 1),
            pulled(2, 1_000, 0, 1, 99),
            pulled(3, 0, 0, 2, 0));
    assertThat(weightsOf(guarded)).containsExactly(0.25, 0.25, 0.25);
    assertThat(guarded.ownWeight()).isEqualTo(0.25, within(EXACT));
  }

  @Test
  void aPeerWithoutSamplesTakesTheMeanOfTheOthers() {
    GuardedModels guarded =
        new GuardModels(
                KinFixture.MIX,
                START,
                OWN,
                0,
                List.of(pulled(1, 10, 0, 1, 1), pulled(2, 10, 0, 1, -1)),
                Optional.empty())
            .apply();
    assertThat(guarded.ownWeight()).isEqualTo(0, within(EXACT));
  }

  @Test
  void medianOfTwoIsTheirMean() {
    assertThat(GuardModels.median(new double[] {3, 1})).isEqualTo(2);
    assertThat(GuardModels.median(new double[] {9, 1, 3})).isEqualTo(3);
    assertThat(GuardModels.median(new double[0])).isZero();
  }
}
