package io.kindred.methods.robust;

import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Sorts the values of several models coordinate by coordinate. A sorting network of odd-even
 * transpositions compares whole rows of a block, which runs at the width of the processor and whose
 * result does not depend on it.
 */
final class SortedCoordinates {
  private static final int BLOCK = 1024;

  private SortedCoordinates() {}

  /**
   * The coordinate-wise median; with an even number of models the mean of the two middle values.
   */
  static Weights median(List<Weights> models) {
    return trimmedMean(models, (models.size() - 1) / 2);
  }

  /** The coordinate-wise mean without the so many smallest and largest values. */
  static Weights trimmedMean(List<Weights> models, int trimmed) {
    int count = models.size();
    if (trimmed < 0 || 2 * trimmed >= count) {
      throw new IllegalArgumentException(
          "of " + count + " values, " + trimmed + " cannot be trimmed at each end");
    }
    Weights first = models.getFirst();
    for (Weights model : models) {
      if (model.size() != first.size()) {
        throw new IllegalArgumentException(
            "weights of different models: " + first.size() + " and " + model.size() + " values");
      }
    }
    float[] means = new float[first.size()];
    float[][] rows = new float[count][BLOCK];
    for (int from = 0; from < means.length; from += BLOCK) {
      int size = Math.min(BLOCK, means.length - from);
      for (int i = 0; i < count; i++) {
        System.arraycopy(models.get(i).shared(), from, rows[i], 0, size);
      }
      sort(rows, size);
      mean(rows, trimmed, size, means, from);
    }
    return Weights.wrap(first.layout(), means);
  }

  private static void sort(float[][] rows, int size) {
    for (int pass = 0; pass < rows.length; pass++) {
      for (int i = pass & 1; i + 1 < rows.length; i += 2) {
        order(rows[i], rows[i + 1], size);
      }
    }
  }

  private static void order(float[] low, float[] high, int size) {
    for (int i = 0; i < size; i++) {
      float one = low[i];
      float other = high[i];
      low[i] = Math.min(one, other);
      high[i] = Math.max(one, other);
    }
  }

  private static void mean(float[][] rows, int trimmed, int size, float[] means, int from) {
    int kept = rows.length - 2 * trimmed;
    float share = 1f / kept;
    // Each value is scaled before it is added, so that two large values do not overflow.
    for (int row = trimmed; row < rows.length - trimmed; row++) {
      float[] values = rows[row];
      for (int i = 0; i < size; i++) {
        means[from + i] += kept == 1 ? values[i] : share * values[i];
      }
    }
  }
}
