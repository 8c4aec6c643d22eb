package io.kindred.protocol.signature;

/**
 * How a signature's values are encoded on the wire. A signature holds its values already rounded to
 * this precision, so that sender, receiver and simulation compare the same numbers.
 */
public enum Precision {
  /** The weights as they are. */
  FLOAT32(4) {
    @Override
    void round(float[] values) {
      // Nothing to round.
    }
  },

  /**
   * The upper half of a float: its whole range with eight significant bits. Half precision has
   * eleven, but deltas of a late round fall below its smallest normal number.
   */
  BFLOAT16(2) {
    @Override
    void round(float[] values) {
      for (int i = 0; i < values.length; i++) {
        values[i] = Float.intBitsToFloat(toBfloat16Bits(values[i]) << 16);
      }
    }
  },

  /** Multiples of the largest magnitude divided by 127; that magnitude is sent along. */
  INT8(1) {
    @Override
    void round(float[] values) {
      float largest = scale(values);
      for (int i = 0; i < values.length; i++) {
        values[i] = dequantize(quantize(values[i], largest), largest);
      }
    }
  };

  static final int INT8_STEPS = 127;
  private static final int LARGEST_BFLOAT16 = 0x7f7f;

  private final int bytes;

  Precision(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one value on the wire. */
  public int bytes() {
    return bytes;
  }

  /** Rounds each value to the one that a receiver decodes; idempotent. */
  abstract void round(float[] values);

  /**
   * Rounds to nearest, ties to even; a value that would round to infinity becomes the largest
   * number.
   */
  public static int toBfloat16Bits(float value) {
    int bits = Float.floatToRawIntBits(value);
    int magnitude = bits & 0x7fff_ffff;
    int rounded = (magnitude + 0x7fff + ((magnitude >>> 16) & 1)) >>> 16;
    return ((bits >>> 31) << 15) | Math.min(rounded, LARGEST_BFLOAT16);
  }

  /** The scale of {@link #INT8}; magnitudes too small to divide count as zero. */
  static float scale(float[] values) {
    float largest = 0;
    for (float value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest < Float.MIN_NORMAL ? 0 : largest;
  }

  static int quantize(float value, float largest) {
    return largest == 0 ? 0 : (int) Math.round(value * (double) INT8_STEPS / largest);
  }

  /** The largest step decodes to the scale itself, so the scale can be read off the values. */
  static float dequantize(int step, float largest) {
    return (float) (largest * (double) step / INT8_STEPS);
  }
}
