package io.kindred.learning.engine;

import io.kindred.core.weights.Flat;
import io.kindred.core.weights.Layout;
import java.util.ArrayList;
import java.util.List;

/** Stretches of a flat vector: the weights of some layers, without state that has no gradient. */
final class Spans {
  /**
   * Dot products are summed in floats over so many values and in doubles from there, which keeps
   * both the fixed order and the precision of long vectors.
   */
  private static final int CHUNK = 4096;

  private record Span(int from, int to) {}

  private final List<Span> spans;

  private Spans(List<Span> spans) {
    this.spans = spans;
  }

  /** The trained blocks of the named layers; of all layers where none is named. */
  static Spans of(Layout layout, List<String> layers) {
    requireKnown(layout, layers);
    List<Span> spans = new ArrayList<>();
    for (Layout.Block block : layout.blocks()) {
      if (!block.trained() || !(layers.isEmpty() || covers(layers, block))) {
        continue;
      }
      boolean follows = !spans.isEmpty() && spans.getLast().to() == block.offset();
      int from = follows ? spans.removeLast().from() : block.offset();
      spans.add(new Span(from, block.end()));
    }
    return new Spans(spans);
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

  /** What is done with one stretch. */
  interface Visitor {
    void visit(int from, int to);
  }

  void each(Visitor visitor) {
    for (Span span : spans) {
      visitor.visit(span.from(), span.to());
    }
  }

  double dot(float[] x, float[] y) {
    double sum = 0;
    for (Span span : spans) {
      for (int from = span.from(); from < span.to(); from += CHUNK) {
        sum += Flat.dot(x, from, y, from, Math.min(CHUNK, span.to() - from));
      }
    }
    return sum;
  }

  double norm(float[] x) {
    return Math.sqrt(dot(x, x));
  }

  /** y = y + a x. */
  void add(double a, float[] x, float[] y) {
    for (Span span : spans) {
      Flat.axpy((float) a, x, span.from(), y, span.from(), span.to() - span.from());
    }
  }
}
