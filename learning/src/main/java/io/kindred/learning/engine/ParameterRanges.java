package io.kindred.learning.engine;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.VectorKernels;
import java.util.ArrayList;
import java.util.List;

/** Ranges of a flat vector: the weights of some layers, without state that has no gradient. */
final class ParameterRanges {
  /**
   * Dot products are summed in floats within a chunk and in doubles across chunks, which keeps both
   * the fixed order and the precision of long vectors.
   */
  private static final int CHUNK = 4096;

  private record Range(int from, int to) {}

  private final List<Range> ranges;

  private ParameterRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** The trained blocks of the named layers, or of all layers if the list is empty. */
  static ParameterRanges of(Layout layout, List<String> layers) {
    requireKnown(layout, layers);
    List<Range> ranges = new ArrayList<>();
    for (Layout.Block block : layout.blocks()) {
      if (!block.trained() || !(layers.isEmpty() || covers(layers, block))) {
        continue;
      }
      boolean follows = !ranges.isEmpty() && ranges.getLast().to() == block.offset();
      int from = follows ? ranges.removeLast().from() : block.offset();
      ranges.add(new Range(from, block.end()));
    }
    return new ParameterRanges(ranges);
  }

  /** A name covers the block of that name and the blocks of the layer of that name. */
  static boolean covers(List<String> layers, Layout.Block block) {
    return layers.stream().anyMatch(layer -> covers(layer, block));
  }

  private static boolean covers(String layer, Layout.Block block) {
    return block.name().equals(layer) || block.name().startsWith(layer + ".");
  }

  private static void requireKnown(Layout layout, List<String> layers) {
    for (String layer : layers) {
      if (layout.blocks().stream().noneMatch(block -> covers(layer, block))) {
        throw new IllegalArgumentException(
            "no layer "
                + layer
                + " among "
                + layout.blocks().stream().map(Layout.Block::name).toList());
      }
    }
  }

  /** Handles one range. */
  interface Visitor {
    void visit(int from, int to);
  }

  void forEach(Visitor visitor) {
    for (Range range : ranges) {
      visitor.visit(range.from(), range.to());
    }
  }

  double dot(float[] x, float[] y) {
    double sum = 0;
    for (Range range : ranges) {
      for (int from = range.from(); from < range.to(); from += CHUNK) {
        sum += VectorKernels.dot(x, from, y, from, Math.min(CHUNK, range.to() - from));
      }
    }
    return sum;
  }

  double norm(float[] x) {
    return Math.sqrt(dot(x, x));
  }

  /** y = y + a x. */
  void addScaled(double a, float[] x, float[] y) {
    for (Range range : ranges) {
      VectorKernels.axpy((float) a, x, range.from(), y, range.from(), range.to() - range.from());
    }
  }
}
