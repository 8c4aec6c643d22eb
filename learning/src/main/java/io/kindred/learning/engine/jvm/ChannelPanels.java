package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.Volume;

/**
 * A memory layout of pictures with one sample after another: panels of a few channels, and in a
 * panel pixel after pixel, each with the panel's channels side by side. A panel fits into the
 * first-level cache with what is computed from it.
 */
final class ChannelPanels {
  private static final int MOST_REGISTERS = 2;
  private static final int MOST_FLOATS = 4608;

  private final Volume volume;
  private final int depth;

  ChannelPanels(Volume volume) {
    this.volume = volume;
    int wide = MOST_REGISTERS * VECTOR_WIDTH;
    if (volume.channels() % wide == 0 && volume.area() * wide <= MOST_FLOATS) {
      depth = wide;
    } else if (volume.channels() % VECTOR_WIDTH == 0) {
      depth = VECTOR_WIDTH;
    } else {
      depth = volume.channels();
    }
  }

  /** Channels of a panel. */
  int depth() {
    return depth;
  }

  int count() {
    return volume.channels() / depth;
  }

  /** Values of a panel. */
  int size() {
    return volume.area() * depth;
  }

  /** Values of a row of pixels of a panel. */
  int rowSize() {
    return volume.width() * depth;
  }

  /** Copies from blocks. */
  void fromBlocks(float[] pictures, int blocks, float[] panels) {
    int area = volume.area();
    for (int plane = 0; plane < blocks * volume.channels(); plane += depth) {
      int firstSample = plane / volume.channels() * BLOCK_SIZE;
      int panel = plane % volume.channels() / depth;
      for (int pixel = 0; pixel < area; pixel++) {
        int from = (plane * area + pixel) * BLOCK_SIZE;
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          int to = ((firstSample + lane) * count() + panel) * size() + pixel * depth;
          for (int channel = 0; channel < depth; channel++) {
            panels[to + channel] = pictures[from + channel * area * BLOCK_SIZE + lane];
          }
        }
      }
    }
  }
}
