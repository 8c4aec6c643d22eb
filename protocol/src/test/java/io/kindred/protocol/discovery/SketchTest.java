package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SketchTest {
  private static final int DIMENSION = 20_000;

  private static RandomStream random(long counter) {
    return new RandomStreams(20261118).stream(new Purpose("sketch-test"), 0, counter);
  }

  private static float[] normal(int size, long counter) {
    RandomStream random = random(counter);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  /** A vector whose cosine with the first is close to the given one. */
  private static float[] atCosine(float[] first, double cosine, long counter) {
    float[] other = normal(first.length, counter);
    float[] values = new float[first.length];
    double sine = Math.sqrt(1 - cosine * cosine);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (cosine * first[i] + sine * other[i]);
    }
    return values;
  }

  private static double cosine(float[] x, float[] y) {
    double product = 0;
    double ofX = 0;
    double ofY = 0;
    for (int i = 0; i < x.length; i++) {
      product += (double) x[i] * y[i];
      ofX += (double) x[i] * x[i];
      ofY += (double) y[i] * y[i];
    }
    return product / Math.sqrt(ofX * ofY);
  }

  private static Sketch sketch(SketchForm form, int bytes, float[] values) {
    SketchRule rule = new SketchRule(SketchRule.Subject.CHANGE, form, bytes, 0);
    return rule.sketch(values, new float[values.length], 0, values.length);
  }

  /** Four standard errors of the estimators: (1 - c^2) / sqrt(m), and pi / 2 / sqrt(m) for bits. */
  @ParameterizedTest
  @EnumSource(SketchForm.class)
  void theCosineOfSketchesEstimatesTheCosineOfTheVectors(SketchForm form) {
    for (long draw = 0; draw < 20; draw++) {
      float[] first = normal(DIMENSION, 2 * draw);
      for (double wanted : new double[] {-0.5, 0, 0.3, 0.75, 0.95}) {
        float[] other = atCosine(first, wanted, 2 * draw + 1);
        double error = form == SketchForm.SIGN ? Math.PI / 2 : 1;
        assertThat((double) sketch(form, 1024, first).cosine(sketch(form, 1024, other)))
            .isCloseTo(cosine(first, other), within(4 * error / Math.sqrt(form.values(1024))));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SketchForm.class)
  void theErrorFallsWithTheSizeOfTheSketch(SketchForm form) {
    double small = 0;
    double large = 0;
    for (long draw = 0; draw < 60; draw++) {
      float[] first = normal(4_000, 2 * draw);
      float[] other = atCosine(first, 0.4, 2 * draw + 1);
      double exact = cosine(first, other);
      small += Math.pow(sketch(form, 64, first).cosine(sketch(form, 64, other)) - exact, 2);
      large += Math.pow(sketch(form, 1024, first).cosine(sketch(form, 1024, other)) - exact, 2);
    }
    // Sixteen times the values: a sixteenth of the variance, here at least a sixth.
    assertThat(large).isLessThan(small / 6);
  }

  /** The transform of a vector that is shorter than the sketch must not repeat itself. */
  @Test
  void moreBitsThanEntriesStillAddInformation() {
    double narrow = 0;
    double wide = 0;
    for (long draw = 0; draw < 100; draw++) {
      float[] first = normal(512, 2 * draw);
      float[] other = atCosine(first, 0.5, 2 * draw + 1);
      double exact = cosine(first, other);
      narrow +=
          Math.pow(
              sketch(SketchForm.SIGN, 64, first).cosine(sketch(SketchForm.SIGN, 64, other)) - exact,
              2);
      wide +=
          Math.pow(
              sketch(SketchForm.SIGN, 1024, first).cosine(sketch(SketchForm.SIGN, 1024, other))
                  - exact,
              2);
    }
    assertThat(wide).isLessThan(narrow / 3);
  }

  /** One large entry: without the transform its bucket alone would decide half of the signs. */
  @Test
  void aFewLargeEntriesDoNotMakeSignsUseless() {
    for (long draw = 0; draw < 20; draw++) {
      float[] first = new float[DIMENSION];
      float[] other = new float[DIMENSION];
      RandomStream random = random(1000 + draw);
      for (int i = 0; i < 8; i++) {
        first[random.nextInt(DIMENSION)] = 1;
        other[random.nextInt(DIMENSION)] = 1;
      }
      assertThat(sketch(SketchForm.SIGN, 1024, first).cosine(sketch(SketchForm.SIGN, 1024, other)))
          .isBetween(-0.15f, 0.15f);
    }
  }

  @Test
  void aSketchDependsOnTheDifferenceFromTheStartAlone() {
    float[] change = normal(DIMENSION, 1);
    float[] start = new float[DIMENSION];
    float[] weights = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      // Exact in binary, so that the difference is exact.
      change[i] = Math.round(change[i] * 64) / 64f;
      start[i] = i % 128;
      weights[i] = start[i] + change[i];
    }
    SketchRule rule = new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 512, 0);
    assertThat(rule.sketch(weights, start, 0, DIMENSION))
        .isEqualTo(rule.sketch(change, new float[DIMENSION], 0, DIMENSION));
  }

  @Test
  void anotherSeedGivesAnotherSketch() {
    float[] values = normal(DIMENSION, 3);
    float[] zero = new float[DIMENSION];
    Sketch one =
        new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 512, 1)
            .sketch(values, zero, 0, DIMENSION);
    Sketch other =
        new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 512, 2)
            .sketch(values, zero, 0, DIMENSION);
    assertThat(one.cosine(other)).isBetween(-0.2f, 0.2f);
  }

  @Test
  void headBodyAndUpdateAreTakenOfTheirPartsOfTheModel() {
    Layout layout =
        Layout.builder().add("w1", 30, 10).add("b1", 10).add("w2", 10, 5).add("b2", 5).build();
    float[] start = normal(layout.size(), 5);
    float[] before = normal(layout.size(), 6);
    float[] now = before.clone();
    int head = layout.block("w2").offset();
    for (int i = head; i < now.length; i++) {
      now[i] = start[i];
    }
    Weights weights = Weights.wrap(layout, now);
    Weights origin = Weights.wrap(layout, start);
    Weights last = Weights.wrap(layout, before);
    assertThat(of(SketchRule.Subject.HEAD).sketch(weights, origin, last))
        .as("the head did not change since the start")
        .isEqualTo(Sketch.encode(SketchForm.INT8, new float[64]));
    assertThat(of(SketchRule.Subject.BODY).sketch(weights, origin, last))
        .isEqualTo(of(SketchRule.Subject.BODY).sketch(now, start, 0, head));
    assertThat(of(SketchRule.Subject.UPDATE).sketch(weights, origin, last))
        .isEqualTo(of(SketchRule.Subject.UPDATE).sketch(now, before, 0, now.length));
  }

  private static SketchRule of(SketchRule.Subject subject) {
    return new SketchRule(subject, SketchForm.INT8, 64, 0);
  }

  @Test
  void aModelThatDidNotChangeIsSimilarToNothing() {
    Sketch none = sketch(SketchForm.INT8, 64, new float[500]);
    assertThat(none.cosine(sketch(SketchForm.INT8, 64, normal(500, 1)))).isZero();
    assertThat(none.cosine(none)).isZero();
  }

  @ParameterizedTest
  @EnumSource(SketchForm.class)
  void aSketchIsReadAsItWasWritten(SketchForm form) throws MalformedException {
    Sketch sketch = sketch(form, 128, normal(3000, 9));
    WireOutput out = new WireOutput(weights -> {});
    new SketchCodec().write(sketch, out);
    assertThat(out.toBytes()).hasSize(130);
    assertThat(new SketchCodec().read(new WireInput(out.toBytes(), digest -> null)))
        .isEqualTo(sketch);
  }

  @Test
  void damagedSketchesAreRefused() {
    byte[] infinite = new byte[130];
    infinite[0] = 2;
    infinite[1] = 7;
    infinite[4] = (byte) 0x80;
    infinite[5] = 0x7f;
    for (byte[] bytes :
        List.of(new byte[] {7, 7}, new byte[] {0, 2}, new byte[] {0, 30}, new byte[40], infinite)) {
      assertThatThrownBy(() -> new SketchCodec().read(new WireInput(bytes, digest -> null)))
          .isInstanceOf(MalformedException.class);
    }
  }

  @Test
  void sketchesOfDifferentSizesAreNotCompared() {
    float[] values = normal(500, 1);
    assertThat(
            sketch(SketchForm.INT8, 64, values).isComparable(sketch(SketchForm.INT8, 128, values)))
        .isFalse();
    assertThatThrownBy(
            () -> sketch(SketchForm.INT8, 64, values).cosine(sketch(SketchForm.SIGN, 64, values)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {65, 100, 1000})
  void theSizeIsAPowerOfTwo(int bytes) {
    assertThatThrownBy(() -> new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, bytes, 0))
        .hasMessageContaining("power of two");
  }
}
