package io.kindred.core.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.List;
import org.junit.jupiter.api.Test;

class VectorKernelsTest {
  private static final int[] AWKWARD_LENGTHS = {
    0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100,
    127, 128, 129, 255, 257, 1000, 1023
  };
  private static final int[] OFFSETS = {0, 1, 3, 16};
  private static final float[] SPECIAL = {
    0f,
    -0f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    1e20f
  };

  private static RandomStream random(long counter) {
    return new RandomStreams(7).stream(new Purpose("flat"), 0, counter);
  }

  /** Magnitudes differ widely, so that any other order of a sum changes its last bits. */
  private static float[] ordinary(RandomStream random, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (random.nextGaussian() * Math.exp(random.uniform(-6, 6)));
    }
    return values;
  }

  private static float[] mixedWithSpecial(RandomStream random, int length) {
    float[] values = ordinary(random, length);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(8) == 0) {
        values[i] = SPECIAL[random.nextInt(SPECIAL.length)];
      }
    }
    return values;
  }

  /** Bits, but all NaNs alike: which payload survives an operation is the hardware's business. */
  private static int[] bits(float... values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Float.floatToIntBits(values[i]);
    }
    return bits;
  }

  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  private static void checkDot(float[] x, int xFrom, float[] y, int yFrom, int length) {
    assertThat(bits(VectorKernels.dot(x, xFrom, y, yFrom, length)))
        .as("length %d at %d and %d", length, xFrom, yFrom)
        .isEqualTo(bits(VectorKernelsReference.dot(x, xFrom, y, yFrom, length)));
  }

  private static void checkAxpy(float a, float[] x, int xFrom, float[] y, int yFrom, int length) {
    float[] fast = y.clone();
    float[] plain = y.clone();
    VectorKernels.axpy(a, x, xFrom, fast, yFrom, length);
    VectorKernelsReference.axpy(a, x, xFrom, plain, yFrom, length);
    assertThat(bits(fast))
        .as("length %d at %d and %d", length, xFrom, yFrom)
        .isEqualTo(bits(plain));
  }

  @Test
  void sumsAreEqualBitForBitOnAwkwardLengths() {
    for (int length : AWKWARD_LENGTHS) {
      for (int xFrom : OFFSETS) {
        for (int yFrom : OFFSETS) {
          RandomStream random = random(length);
          float[] x = ordinary(random, length + 20);
          float[] y = ordinary(random, length + 20);
          checkDot(x, xFrom, y, yFrom, length);
          checkAxpy(0.3f, x, xFrom, y, yFrom, length);
        }
      }
    }
  }

  @Test
  void sumsAreEqualBitForBitOnSpecialValues() {
    for (int length : AWKWARD_LENGTHS) {
      for (int repeat = 0; repeat < 20; repeat++) {
        RandomStream random = random(1_000L + 100L * length + repeat);
        float[] x = mixedWithSpecial(random, length + 3);
        float[] y = mixedWithSpecial(random, length + 3);
        checkDot(x, repeat % 3, y, 1, length);
        checkAxpy(mixedWithSpecial(random, 1)[0], x, 2, y, repeat % 3, length);
      }
    }
  }

  @Test
  void sumsKeepTheirBitsOnceCompiled() {
    float[] x = ordinary(random(1), 1023);
    float[] y = ordinary(random(2), 1023);
    int expected = Float.floatToRawIntBits(VectorKernelsReference.dot(x, 0, y, 0, 1023));
    for (int call = 0; call < 20_000; call++) {
      assertThat(Float.floatToRawIntBits(VectorKernels.dot(x, 0, y, 0, 1023)) == expected).isTrue();
    }
  }

  @Test
  void aSumTouchesNothingBesideItsRange() {
    float[] y = new float[40];
    VectorKernels.axpy(1, ordinary(random(3), 40), 0, y, 5, 17);
    for (int i = 0; i < 40; i++) {
      assertThat(y[i] != 0).isEqualTo(i >= 5 && i < 22);
    }
  }

  @Test
  void lanesAreAddedHalfToHalf() {
    float[] lanes = new float[18];
    // 2^24 + 1 is not a float, so only the right pairing keeps the ones: lane 0 meets lane 8.
    lanes[1] = 16_777_216f;
    lanes[9] = -16_777_216f;
    lanes[2] = 1;
    assertThat(VectorKernels.sumLanes(lanes, 1)).isEqualTo(1f);
    lanes[9] = 0;
    lanes[2] = 0;
    lanes[5] = 1;
    lanes[13] = -16_777_216f;
    // Lanes 4 and 12 meet first: 1 - 2^24 is exact, and the sum with lane 0 is 1.
    assertThat(VectorKernels.sumLanes(lanes, 1)).isEqualTo(1f);
  }

  @Test
  void cosineKnowsEqualOppositeAndPerpendicularVectors() {
    assertThat(VectorKernels.cosine(weights(3, 4), weights(6, 8))).isEqualTo(1.0, within(1e-7));
    assertThat(VectorKernels.cosine(weights(3, 4), weights(-3, -4))).isEqualTo(-1.0, within(1e-7));
    assertThat(VectorKernels.cosine(weights(1, 0), weights(0, 5))).isEqualTo(0.0);
    assertThat(VectorKernels.cosine(weights(1, 0), weights(1, 1)))
        .isCloseTo(Math.sqrt(0.5), within(1e-7));
  }

  @Test
  void cosineIsZeroWhereAVectorIsZero() {
    assertThat(VectorKernels.cosine(weights(0, 0), weights(1, 2))).isEqualTo(0.0);
    assertThat(VectorKernels.cosine(weights(1, 2), weights(-0f, 0))).isEqualTo(0.0);
  }

  @Test
  void cosineNeverLeavesItsRange() {
    for (int seed = 0; seed < 500; seed++) {
      float[] values = ordinary(random(5_000L + seed), 1 + seed % 70);
      Weights x = weights(values);
      assertThat(VectorKernels.cosine(x, x)).isBetween(1 - 1e-6, 1.0);
    }
  }

  @Test
  void aMixtureIsAddedInTheOrderOfItsParts() {
    Weights big = weights(16_777_216f);
    Weights one = weights(1f);
    Mixture bigFirst =
        new Mixture(
            List.of(new MixturePart(big, 1), new MixturePart(one, 1), new MixturePart(big, -1)));
    Mixture bigLast =
        new Mixture(
            List.of(new MixturePart(big, 1), new MixturePart(big, -1), new MixturePart(one, 1)));
    assertThat(VectorKernels.mix(bigFirst).get(0)).isEqualTo(0f);
    assertThat(VectorKernels.mix(bigLast).get(0)).isEqualTo(1f);
  }

  @Test
  void aMixtureIsTheWeightedSum() {
    Mixture mixture =
        new Mixture(
            List.of(
                new MixturePart(weights(1, 2, 3), 0.5),
                new MixturePart(weights(10, 20, 30), 0.25)));
    assertThat(VectorKernels.mix(mixture)).isEqualTo(weights(3, 6, 9));
    assertThat(VectorKernels.mix(Mixture.mean(List.of(weights(1, 3), weights(3, 5)))))
        .isEqualTo(weights(2, 4));
  }

  @Test
  void aMixtureLeavesItsPartsAlone() {
    Weights part = weights(1, 2);
    VectorKernels.mix(Mixture.mean(List.of(part, weights(5, 5))));
    assertThat(part.copy()).containsExactly(1, 2);
  }

  @Test
  void modelsOfDifferentSizesAreRefused() {
    Mixture mixture = Mixture.mean(List.of(weights(1, 2), weights(1, 2, 3)));
    assertThatThrownBy(() -> VectorKernels.mix(mixture))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 and 3 values");
    assertThatThrownBy(() -> VectorKernels.dot(weights(1), weights(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Mixture(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
