package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.learning.model.Volume;

/** Pictures with a frame of zeros, so that every tap of a filter finds a value. */
final class Border {
  private final Volume input;
  private final Volume framed;
  private final int padding;
  private float[] copy = {};

  Border(Volume input, int padding) {
    this.input = input;
    this.padding = padding;
    this.framed =
        new Volume(input.channels(), input.height() + 2 * padding, input.width() + 2 * padding);
  }

  Volume framed() {
    return framed;
  }

  /** The pictures themselves where there is no frame, or else a copy; the frame stays zero. */
  float[] around(float[] pictures, int blocks) {
    if (padding == 0) {
      return pictures;
    }
    copy = Lanes.atLeast(copy, blocks * framed.size() * COUNT);
    int rows = blocks * input.channels() * input.height();
    int width = input.width() * COUNT;
    for (int row = 0; row < rows; row++) {
      int plane = row / input.height();
      int y = row % input.height() + padding;
      int to = ((plane * framed.height() + y) * framed.width() + padding) * COUNT;
      System.arraycopy(pictures, row * width, copy, to, width);
    }
    return copy;
  }
}
