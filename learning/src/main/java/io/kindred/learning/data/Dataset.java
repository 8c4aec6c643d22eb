package io.kindred.learning.data;

import java.util.List;

/**
 * A task: samples to share out among peers and a common test set that nobody trains on. {@code
 * shape} is channels, height, width for pictures.
 */
public record Dataset(String name, List<Integer> shape, int classes, Samples train, Samples test) {
  public Dataset {
    shape = List.copyOf(shape);
  }

  public int width() {
    return train.features().width();
  }
}
