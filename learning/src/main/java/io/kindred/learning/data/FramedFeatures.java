package io.kindred.learning.data;

import java.util.Arrays;
import java.util.List;

/**
 * Pictures in the middle of a larger frame, as they are read; one channel may become many. The
 * frame has the shade of the picture's corner: zero would be a grey where values are centred.
 */
final class FramedFeatures implements Features {
  private final Features pictures;
  private final List<Integer> inner;
  private final List<Integer> outer;

  /** Shapes are channels, height, width; the inner one has as many channels, or one. */
  FramedFeatures(Features pictures, List<Integer> inner, List<Integer> outer) {
    this.pictures = pictures;
    this.inner = List.copyOf(inner);
    this.outer = List.copyOf(outer);
  }

  @Override
  public int count() {
    return pictures.count();
  }

  @Override
  public int width() {
    return outer.get(0) * outer.get(1) * outer.get(2);
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    if (inner.equals(outer)) {
      pictures.copy(sample, into, offset);
      return;
    }
    float[] picture = new float[pictures.width()];
    pictures.copy(sample, picture, 0);
    int height = inner.get(1);
    int width = inner.get(2);
    int top = (outer.get(1) - height) / 2;
    int left = (outer.get(2) - width) / 2;
    for (int channel = 0; channel < outer.get(0); channel++) {
      int from = inner.get(0) == 1 ? 0 : channel * height * width;
      int first = offset + channel * outer.get(1) * outer.get(2);
      Arrays.fill(into, first, first + outer.get(1) * outer.get(2), picture[from]);
      int to = first + top * outer.get(2) + left;
      for (int y = 0; y < height; y++) {
        System.arraycopy(picture, from + y * width, into, to + y * outer.get(2), width);
      }
    }
  }
}
