package io.kindred.learning.data.vision;

import io.kindred.learning.data.Features;
import java.util.Arrays;
import java.util.List;

/**
 * Pictures padded to a larger shape when they are read; one channel may be repeated over several.
 * The padding has the value of the picture's corner: zero would be a grey where values are centred.
 */
final class PaddedFeatures implements Features {
  private final Features pictures;
  private final List<Integer> innerShape;
  private final List<Integer> outerShape;

  /**
   * Shapes are channels, height, width. The inner shape has as many channels as the outer, or one.
   */
  PaddedFeatures(Features pictures, List<Integer> innerShape, List<Integer> outerShape) {
    this.pictures = pictures;
    this.innerShape = List.copyOf(innerShape);
    this.outerShape = List.copyOf(outerShape);
  }

  @Override
  public int count() {
    return pictures.count();
  }

  @Override
  public int width() {
    return outerShape.get(0) * outerShape.get(1) * outerShape.get(2);
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    if (innerShape.equals(outerShape)) {
      pictures.copy(sample, into, offset);
      return;
    }
    float[] picture = new float[pictures.width()];
    pictures.copy(sample, picture, 0);
    int height = innerShape.get(1);
    int width = innerShape.get(2);
    int top = (outerShape.get(1) - height) / 2;
    int left = (outerShape.get(2) - width) / 2;
    for (int channel = 0; channel < outerShape.get(0); channel++) {
      int from = innerShape.get(0) == 1 ? 0 : channel * height * width;
      int first = offset + channel * outerShape.get(1) * outerShape.get(2);
      Arrays.fill(into, first, first + outerShape.get(1) * outerShape.get(2), picture[from]);
      int to = first + top * outerShape.get(2) + left;
      for (int y = 0; y < height; y++) {
        System.arraycopy(picture, from + y * width, into, to + y * outerShape.get(2), width);
      }
    }
  }
}
