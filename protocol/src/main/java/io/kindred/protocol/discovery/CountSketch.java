package io.kindred.protocol.discovery;

/**
 * Sums of a vector's entries with random signs (Charikar, Chen and Farach-Colton, 2002). A plain
 * count sketch draws a bucket for each entry; here each block of as many entries as there are
 * buckets is added with one random rotation, which reads and writes memory in order. Entries of one
 * block never meet, and entries of two blocks meet with the same probability as in the plain form.
 * A Hadamard transform of the sums then spreads each entry over all values (Ailon and Chazelle,
 * 2006), so that few large entries do not decide a sketch alone. Both steps preserve inner products
 * in expectation, and the second exactly.
 */
final class CountSketch {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private final float[] sums;
  private final long seed;

  /** Of so many values, a power of two of at least 16. */
  CountSketch(int values, long seed) {
    this.sums = new float[values];
    this.seed = mix(seed + GOLDEN_GAMMA);
  }

  /** Adds the entries {@code from} to {@code to} of values - origin. */
  void addDifference(float[] values, float[] origin, int from, int to) {
    int size = sums.length;
    if (to - from < size) {
      addCopies(values, origin, from, to - from);
      return;
    }
    for (int start = from, block = 0; start < to; start += size, block++) {
      long key = mix(seed + block * GOLDEN_GAMMA);
      int rotation = (int) (key >>> 32) & (size - 1);
      int count = Math.min(size, to - start);
      int first = Math.min(count, size - rotation);
      addSigned(values, origin, start, rotation, first, key, 0);
      addSigned(values, origin, start + first, 0, count - first, key, first);
    }
  }

  /**
   * Adds a vector with fewer entries than values once for each time that it fits, each time with
   * other signs: the transform of a single copy would repeat itself.
   */
  private void addCopies(float[] values, float[] origin, int from, int count) {
    for (int copy = 0; (copy + 1) * count <= sums.length && count > 0; copy++) {
      addSigned(values, origin, from, copy * count, count, mix(seed + copy * GOLDEN_GAMMA), 0);
    }
  }

  private void addSigned(
      float[] values, float[] origin, int from, int bucket, int count, long key, int position) {
    for (int i = 0; i < count; ) {
      int inWord = (position + i) & 63;
      long signs = mix(key ^ ((long) (position + i) >>> 6)) >>> inWord;
      int end = Math.min(count, i + 64 - inWord);
      for (; i < end; i++, signs >>>= 1) {
        float difference = values[from + i] - origin[from + i];
        int bits = Float.floatToRawIntBits(difference) ^ ((int) signs << 31);
        sums[bucket + i] += Float.intBitsToFloat(bits);
      }
    }
  }

  /** The sums after the Hadamard transform, scaled to keep inner products; ends the sketch. */
  float[] rotated() {
    int size = sums.length;
    for (int half = 1; half < size; half *= 2) {
      for (int from = 0; from < size; from += 2 * half) {
        for (int i = from; i < from + half; i++) {
          float a = sums[i];
          float b = sums[i + half];
          sums[i] = a + b;
          sums[i + half] = a - b;
        }
      }
    }
    float scale = (float) (1 / Math.sqrt(size));
    for (int i = 0; i < size; i++) {
      sums[i] *= scale;
    }
    return sums;
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
