package io.kindred.protocol.discovery;

/**
 * The cosine that a number of different signs stands for: two vectors at an angle have different
 * signs in the share angle / pi of random projections (Charikar, 2002). Tabulated, because views
 * compare thousands of sketches a second, and with StrictMath, because all platforms must rank
 * alike.
 */
final class SignCosines {
  private static final float[][] TABLES =
      new float[Integer.numberOfTrailingZeros(8 * Sketch.MAX_BYTES) + 1][];

  static {
    for (int bits = 8 * Sketch.MIN_BYTES; bits <= 8 * Sketch.MAX_BYTES; bits *= 2) {
      float[] table = new float[bits + 1];
      for (int different = 0; different <= bits; different++) {
        table[different] = (float) StrictMath.cos(Math.PI * different / bits);
      }
      TABLES[Integer.numberOfTrailingZeros(bits)] = table;
    }
  }

  private SignCosines() {}

  static float of(int bits, int different) {
    return TABLES[Integer.numberOfTrailingZeros(bits)][different];
  }
}
