package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import io.kindred.learning.model.Volume;

/** Pads pictures with zeros, so that every tap of a filter reads a value. */
final class ZeroPadding {
  private final Volume input;
  private final Volume paddedVolume;
  private final Extent padding;
  private float[] paddedCopy = {};

  ZeroPadding(Volume input, Extent padding) {
    this.input = input;
    this.padding = padding;
    this.paddedVolume =
        new Volume(
            input.channels(),
            input.height() + 2 * padding.height(),
            input.width() + 2 * padding.width());
  }

  Volume paddedVolume() {
    return paddedVolume;
  }

  /**
   * The pictures themselves if there is no padding, otherwise a padded copy; the padding stays
   * zero.
   */
  float[] pad(float[] pictures, int blocks) {
    if (padding.height() == 0 && padding.width() == 0) {
      return pictures;
    }
    paddedCopy = Lanes.ensureCapacity(paddedCopy, blocks * paddedVolume.size() * BLOCK_SIZE);
    int rows = blocks * input.channels() * input.height();
    int width = input.width() * BLOCK_SIZE;
    for (int row = 0; row < rows; row++) {
      int plane = row / input.height();
      int y = row % input.height() + padding.height();
      int first = (plane * paddedVolume.height() + y) * paddedVolume.width() + padding.width();
      System.arraycopy(pictures, row * width, paddedCopy, first * BLOCK_SIZE, width);
    }
    return paddedCopy;
  }
}
