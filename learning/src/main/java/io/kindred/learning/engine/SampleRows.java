package io.kindred.learning.engine;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Samples;
import java.util.Optional;

/** Some rows of a table of samples, in order, each with an optional weight for its loss. */
public record SampleRows(Samples samples, Ints indices, Optional<Floats> weights) {
  public SampleRows {
    if (weights.isPresent() && weights.get().size() != indices.size()) {
      throw new IllegalArgumentException(
          indices.size() + " samples but " + weights.get().size() + " sample weights");
    }
  }

  public static SampleRows of(Samples samples, Ints indices) {
    return new SampleRows(samples, indices, Optional.empty());
  }

  public int count() {
    return indices.size();
  }

  public int label(int row) {
    return samples.labels().get(indices.get(row));
  }

  float weight(int row) {
    return weights.isPresent() ? weights.get().get(row) : 1;
  }

  /** Writes the regression targets of the row. */
  public void copyTargets(int row, float[] into, int offset) {
    samples.targets().orElseThrow().copy(indices.get(row), into, offset);
  }

  public void copyFeatures(int row, float[] into, int offset) {
    samples.features().copy(indices.get(row), into, offset);
  }
}
