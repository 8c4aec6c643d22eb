package io.kindred.protocol.signature;

/**
 * The indices of a signature as bits, each word with the number of indices before it: words of two
 * signatures tell at once which of 64 indices both have, and where their values are.
 */
final class IndexBits {
  /** With fewer entries in a word than this on average, merging two lists takes less time. */
  private static final int LEAST_ENTRIES_PER_WORD = 1;

  private final long[] words;
  private final int[] before;

  private IndexBits(long[] words, int[] before) {
    this.words = words;
    this.before = before;
  }

  static boolean isWorthwhile(int dimension, int entries) {
    return (long) entries * Long.SIZE >= (long) LEAST_ENTRIES_PER_WORD * dimension;
  }

  static IndexBits of(int dimension, int[] indices) {
    long[] words = new long[(dimension + Long.SIZE - 1) / Long.SIZE];
    for (int index : indices) {
      words[index / Long.SIZE] |= 1L << index;
    }
    int[] before = new int[words.length];
    for (int word = 1; word < words.length; word++) {
      before[word] = before[word - 1] + Long.bitCount(words[word - 1]);
    }
    return new IndexBits(words, before);
  }

  /** The products of the values at indices that both have, summed from the lowest index on. */
  static double sumOfProducts(IndexBits one, float[] values, IndexBits other, float[] others) {
    double sum = 0;
    for (int word = 0; word < one.words.length; word++) {
      long mine = one.words[word];
      long theirs = other.words[word];
      for (long both = mine & theirs; both != 0; both &= both - 1) {
        long lower = Long.lowestOneBit(both) - 1;
        int i = one.before[word] + Long.bitCount(mine & lower);
        int j = other.before[word] + Long.bitCount(theirs & lower);
        sum += (double) values[i] * others[j];
      }
    }
    return sum;
  }
}
