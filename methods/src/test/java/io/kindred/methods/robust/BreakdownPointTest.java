package io.kindred.methods.robust;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The largest share of hostile models that a rule withstands: below it, no hostile model however
 * far away moves the mixture further than a bound that depends on the honest models alone; above
 * it, some does. Honest models lie within a ball of radius one.
 */
class BreakdownPointTest {
  private static final int WEIGHTS = 6;
  private static final double FAR = 1e4;

  /** Models of one mixture; the own model is honest. */
  private record Crowd(List<Weights> honest, List<Weights> hostile) {
    RobustInput input() {
      List<Weights> others = new ArrayList<>(honest.subList(1, honest.size()));
      others.addAll(hostile);
      return Inputs.equal(honest.getFirst(), others.toArray(Weights[]::new));
    }

    double distance(RobustRule rule) {
      return RobustInput.distance(rule.mix(input()).weights(), honest.getFirst());
    }
  }

  /** So many honest and hostile models; the hostile ones agree, which is their best choice. */
  private static Crowd crowd(RandomStream random, int honest, int hostile) {
    List<Weights> good = new ArrayList<>();
    for (int i = 0; i < honest; i++) {
      good.add(point(random, 1));
    }
    Weights far = point(random, FAR);
    List<Weights> bad = new ArrayList<>();
    for (int i = 0; i < hostile; i++) {
      bad.add(far);
    }
    return new Crowd(good, bad);
  }

  /** A point at half the radius or more from zero. */
  private static Weights point(RandomStream random, double radius) {
    double[] direction = new double[WEIGHTS];
    double square = 0;
    for (int i = 0; i < WEIGHTS; i++) {
      direction[i] = random.nextGaussian();
      square += direction[i] * direction[i];
    }
    double length = radius * (0.5 + 0.5 * random.nextDouble()) / Math.sqrt(square);
    float[] values = new float[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++) {
      values[i] = (float) (length * direction[i]);
    }
    return Inputs.weights(values);
  }

  private static void withstands(RobustRule rule, double bound, double share) {
    Property.forAll(
            (random, size) -> {
              int models = 5 + size % 16;
              int hostile = (int) Math.floor(share * models);
              return crowd(random, models - hostile, hostile);
            })
        .runs(60)
        .holds(crowd -> assertThat(crowd.distance(rule)).isLessThan(bound));
  }

  private static void breaksWith(RobustRule rule, double share) {
    Property.forAll(
            (random, size) -> {
              int models = 8 + size % 13;
              int hostile = (int) Math.ceil(share * models);
              return crowd(random, models - hostile, hostile);
            })
        .runs(60)
        .holds(crowd -> assertThat(crowd.distance(rule)).isGreaterThan(FAR / 100));
  }

  @Test
  void theMeanBreaksWithOneHostileModel() {
    breaksWith(new AsPublished(), 0.05);
  }

  @Test
  void theMedianWithstandsLessThanHalf() {
    withstands(new CoordinateMedian(), 2 * Math.sqrt(WEIGHTS), 0.49);
    breaksWith(new CoordinateMedian(), 0.51);
  }

  @Test
  void theTrimmedMeanWithstandsTheShareThatItTrims() {
    withstands(new TrimmedMean(0.2), 2 * Math.sqrt(WEIGHTS), 0.2);
    breaksWith(new TrimmedMean(0.2), 0.34);
  }

  @Test
  void krumWithstandsFWhereNIsLargerThanTwoFPlusTwo() {
    // n > 2 f + 2 holds for a fifth of five models and more only if f is rounded down.
    withstands(new Krum(0.2), 2.1, 0.2);
    withstands(new MultiKrum(0.2), 2.1, 0.2);
    breaksWith(new Krum(0.2), 0.7);
    breaksWith(new MultiKrum(0.2), 0.34);
  }

  @Test
  void theGeometricMedianWithstandsLessThanHalf() {
    // The distance from the honest models grows as half is approached (Pillutla et al., 2022).
    withstands(new GeometricMedian(100, 1e-6), 10, 0.4);
    breaksWith(new GeometricMedian(100, 1e-6), 0.55);
  }

  @Test
  void rulesRelativeToTheOwnUpdateWithstandAnyShare() {
    // No step is longer than twice, or three times, the own update of length one at most.
    withstands(new NormClip(2), 2.01, 0.9);
    withstands(new CosineGate(0, 3), 3.01, 0.9);
  }
}
