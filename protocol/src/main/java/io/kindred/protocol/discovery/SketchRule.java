package io.kindred.protocol.discovery;

import io.kindred.core.config.Setting;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;

/** How a peer sketches its model; all peers of a network share this rule. */
public record SketchRule(
    @Setting(
            doc =
                "what a sketch describes: `change`, the change of all weights since the common"
                    + " start; `update`, their change in the last local training; `head`, the"
                    + " change of the last layer since the start; `body`, the change of all other"
                    + " layers since the start",
            fallback = "change")
        Subject of,
    @Setting(
            doc =
                "how values are encoded: `sign` (one bit), `int8` (one byte) or `float` (four"
                    + " bytes)",
            fallback = "int8")
        SketchForm form,
    @Setting(
            doc = "size of a sketch in bytes, a power of two",
            fallback = "1024",
            min = Sketch.MIN_BYTES,
            max = Sketch.MAX_BYTES)
        int bytes,
    @Setting(doc = "seed of the random signs; the same for all peers", fallback = "0", min = 0)
        long seed) {
  /** What a sketch is taken of. */
  public enum Subject {
    CHANGE,
    UPDATE,
    HEAD,
    BODY
  }

  public SketchRule {
    if (Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "the size of a sketch is a power of two, such as 512 or 1024, got " + bytes);
    }
  }

  /**
   * The sketch of a model.
   *
   * @param start the common initial weights
   * @param before the weights before the last local training
   */
  public Sketch sketch(Weights weights, Weights start, Weights before) {
    Weights origin = of == Subject.UPDATE ? before : start;
    int head = headOffset(weights.layout());
    int from = of == Subject.HEAD ? head : 0;
    int to = of == Subject.BODY && head > 0 ? head : weights.size();
    return sketch(weights.shared(), origin.shared(), from, to);
  }

  /** The sketch of the difference of two vectors within a range of entries. */
  public Sketch sketch(float[] values, float[] origin, int from, int to) {
    CountSketch sums = new CountSketch(form.values(bytes), seed);
    sums.addDifference(values, origin, from, to);
    return Sketch.encode(form, sums.rotated());
  }

  /** Where the last layer begins: the last block with several axes, such as a dense layer. */
  private static int headOffset(Layout layout) {
    int offset = 0;
    for (Layout.Block block : layout.blocks()) {
      if (block.trained() && block.shape().size() > 1) {
        offset = block.offset();
      }
    }
    return offset;
  }
}
