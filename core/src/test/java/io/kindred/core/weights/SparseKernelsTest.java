package io.kindred.core.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparseKernelsTest {
  private static final int[] AWKWARD = {0, 1, 2, 7, 15, 16, 17, 31, 33, 48, 63, 64, 65, 1000, 4097};

  private static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.DATA, 0, 0);
  }

  /** Few distinct magnitudes, so that ties are common. */
  private static float[] values(long seed, int size) {
    RandomStream random = random(seed);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = random.nextInt(3) == 0 ? random.nextInt(5) - 2 : (float) random.nextGaussian();
    }
    return values;
  }

  private static int[] sortedReference(float[] values, int count) {
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(
            Comparator.comparingDouble((Integer i) -> -Math.abs(values[i]))
                .thenComparing(Comparator.naturalOrder()))
        .limit(count)
        .mapToInt(Integer::intValue)
        .sorted()
        .toArray();
  }

  @Test
  void theLargestAreThoseThatASortWouldPutFirst() {
    for (int size : AWKWARD) {
      for (long seed = 0; seed < 20; seed++) {
        float[] values = values(seed, size);
        int count = size == 0 ? 0 : random(seed + 100).nextInt(size + 1);
        assertThat(SparseKernels.largest(values, count).copy())
            .as("size %d, count %d, seed %d", size, count, seed)
            .containsExactly(sortedReference(values, count));
      }
    }
  }

  @Test
  void tiesGoToTheLowerPlace() {
    float[] values = {1, -2, 2, -1, 2, 0, -0.0f};
    assertThat(SparseKernels.largest(values, 2).copy()).containsExactly(1, 2);
    assertThat(SparseKernels.largest(values, 4).copy()).containsExactly(0, 1, 2, 4);
    assertThat(SparseKernels.largest(values, 7).copy()).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void magnitudesOfAllSizesAreTold() {
    float[] values = {Float.MIN_VALUE, Float.MAX_VALUE, 1e-30f, -1e30f, Float.MIN_NORMAL};
    assertThat(SparseKernels.largest(values, 1).copy()).containsExactly(1);
    assertThat(SparseKernels.largest(values, 3).copy()).containsExactly(1, 2, 3);
    assertThat(SparseKernels.largest(values, 4).copy()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void moreThanThereAreIsRefused() {
    assertThatThrownBy(() -> SparseKernels.largest(new float[3], 4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void gatheringEqualsThePlainLoopBitForBit() {
    for (int size : AWKWARD) {
      float[] dense = values(size, 5000);
      int[] places = random(size + 7).permutation(5000);
      places = IntStream.of(places).limit(size).sorted().toArray();
      float[] entries = values(size + 1, size);
      float[] picked = new float[size];
      for (int i = 0; i < size; i++) {
        picked[i] = dense[places[i]];
      }
      float expected = VectorKernelsReference.dot(picked, 0, entries, 0, size);
      assertThat(Float.floatToRawIntBits(SparseKernels.gatherDot(dense, places, entries)))
          .as("size %d", size)
          .isEqualTo(Float.floatToRawIntBits(expected));
    }
  }

  @Test
  void scatteredEntriesAreClearedAgain() {
    float[] dense = new float[10];
    int[] places = {1, 4, 9};
    SparseKernels.scatter(places, new float[] {1, 2, 3}, dense);
    assertThat(dense).containsExactly(0, 1, 0, 0, 2, 0, 0, 0, 0, 3);
    SparseKernels.clear(places, dense);
    assertThat(dense).containsOnly(0);
  }

  @Test
  void mixingFourAtATimeEqualsOneAfterAnother() {
    for (int size : AWKWARD) {
      for (int parts = 1; parts <= 9; parts++) {
        Layout layout = Layout.builder().add("all", size).build();
        float[] expected = new float[size];
        List<MixturePart> list = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
          float[] values = values(31L * size + part, size);
          float coefficient = (float) random(part).nextGaussian();
          VectorKernelsReference.axpy(coefficient, values, 0, expected, 0, size);
          list.add(new MixturePart(Weights.wrap(layout, values), coefficient));
        }
        assertThat(VectorKernels.mix(new Mixture(list)))
            .as("size %d, parts %d", size, parts)
            .isEqualTo(Weights.wrap(layout, expected));
      }
    }
  }
}
