package io.kindred.protocol.signature;

/**
 * In how many bits a signature's values travel. A signature holds its values as they are after
 * travelling, so that its maker, its reader and a simulation all compare the same numbers.
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

  /** Steps of the largest magnitude divided by 127; that magnitude travels along. */
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

  /** What one value takes on the wire. */
  public int bytes() {
    return bytes;
  }

  /** Replaces each value with the one that arrives; doing it twice changes nothing more. */
  abstract void round(float[] values);

  /** To nearest, ties to even; what would round to infinity stays the largest number. */
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

  /** The largest step gives back the scale itself, so the scale can be read off the values. */
  static float dequantize(int step, float largest) {
    return (float) (largest * (double) step / INT8_STEPS);
  }
}
