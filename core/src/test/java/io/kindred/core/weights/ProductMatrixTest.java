package io.kindred.core.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.ProductMatrix.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductMatrixTest {
  private static Weights vector(int size, long counter) {
    RandomStream random = new RandomStreams(3).stream(new Purpose("vectors"), 0, counter);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) (random.nextGaussian() * Math.exp(random.uniform(-6, 6)));
    }
    return Weights.wrap(Layout.builder().add("all", size).build(), values);
  }

  /** Every third vector is a change from another one. */
  private static List<Change> changes(int count, int size, long first) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Optional<Weights> from = i % 3 == 2 ? Optional.of(vector(size, 1000)) : Optional.empty();
      changes.add(new Change(vector(size, first + i), from));
    }
    return changes;
  }

  private static Weights whole(Change change) {
    return change
        .from()
        .map(from -> VectorKernels.minus(change.weights(), from))
        .orElse(change.weights());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 5, 7",
    "2, 4, 16",
    "3, 9, 1023",
    "5, 6, 1024",
    "7, 13, 1025",
    "4, 8, 5000",
    "0, 3, 20",
    "3, 0, 20"
  })
  void everyEntryHasTheBitsOfTheProductOfItsPair(int rows, int columns, int size) {
    List<Change> left = changes(rows, size, 0);
    List<Change> right = changes(columns, size, 100);
    double[][] cosines = ProductMatrix.cosines(left, right);
    assertThat(cosines).hasNumberOfRows(rows);
    for (int row = 0; row < rows; row++) {
      Weights x = whole(left.get(row));
      for (int column = 0; column < columns; column++) {
        Weights y = whole(right.get(column));
        double norms =
            Math.sqrt(VectorKernels.dot(x, x)) * Math.sqrt((double) VectorKernels.dot(y, y));
        assertThat(cosines[row][column])
            .isEqualTo(Math.clamp(VectorKernels.dot(x, y) / norms, -1.0, 1.0));
      }
    }
  }

  @Test
  void aVectorOfZerosIsLikeNothing() {
    Layout layout = Layout.builder().add("all", 20).build();
    Change zero = new Change(Weights.wrap(layout, new float[20]), Optional.empty());
    Weights some = vector(20, 1);
    Change unchanged = new Change(some, Optional.of(some));
    Change other = new Change(some, Optional.empty());
    assertThat(ProductMatrix.cosines(List.of(zero, unchanged), List.of(other, zero)))
        .isDeepEqualTo(new double[2][2]);
  }

  @Test
  void vectorsOfDifferentModelsAreRefused() {
    Change one = new Change(vector(20, 1), Optional.empty());
    Change other = new Change(vector(21, 1), Optional.empty());
    assertThatThrownBy(() -> ProductMatrix.cosines(List.of(one), List.of(one, other)))
        .hasMessage("weights of different models: 20 and 21 values");
    assertThatThrownBy(() -> new Change(vector(20, 1), Optional.of(vector(21, 1))))
        .hasMessage("a change from 21 to 20 weights");
  }
}
