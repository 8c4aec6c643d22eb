package io.kindred.protocol.discovery;

import java.util.Arrays;

/**
 * Orders positions of a table: the most similar first, ties by peer. Views sort at every message,
 * so a key is a number, with the similarity in the high half and the position in the low half.
 */
final class SimilarityOrder {
  /** With more keys out of order, a general sort is faster. */
  private static final int MAX_INSERTED = 64;

  private final EntryTable entries;
  private final long[] keys;
  private int size;

  SimilarityOrder(EntryTable entries, int capacity) {
    this.entries = entries;
    keys = new long[capacity];
  }

  /** The order of all entries. */
  static int[] of(EntryTable entries) {
    SimilarityOrder order = new SimilarityOrder(entries, entries.size());
    for (int i = 0; i < entries.size(); i++) {
      order.add(i, entries.similarity(i));
    }
    return order.sorted();
  }

  void add(int position, float similarity) {
    keys[size++] = (descending(similarity) << Integer.SIZE) | position;
  }

  /** A number that is smaller for a larger similarity; compares like {@link Float#compare}. */
  private static long descending(float similarity) {
    int bits = Float.floatToIntBits(similarity);
    return ~(bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE));
  }

  /** The positions in order. */
  int[] sorted() {
    long[] ordered = sortedKeys();
    int[] sorted = new int[size];
    for (int i = 0; i < size; i++) {
      sorted[i] = (int) ordered[i];
      // Of equal similarities, which are rare, the later one moves before larger peers.
      for (int at = i; at > 0 && isTie(ordered, at) && swaps(sorted, at); at--) {
        int position = sorted[at];
        sorted[at] = sorted[at - 1];
        sorted[at - 1] = position;
      }
    }
    return sorted;
  }

  private static boolean isTie(long[] ordered, int at) {
    return ordered[at - 1] >> Integer.SIZE == ordered[at] >> Integer.SIZE;
  }

  private boolean swaps(int[] sorted, int at) {
    return entries.peer(sorted[at - 1]) > entries.peer(sorted[at]);
  }

  /**
   * Sorts by merging two runs and inserting the rest: a view is the sorted list of the nearest
   * entries, the sorted list of the reserve, and what a message added.
   */
  private long[] sortedKeys() {
    int first = endOfRun(0);
    int second = endOfRun(first);
    if (size - second > MAX_INSERTED) {
      Arrays.sort(keys, 0, size);
      return keys;
    }
    long[] merged = new long[size];
    int left = 0;
    int right = first;
    for (int i = 0; i < second; i++) {
      boolean takesLeft = right == second || (left < first && keys[left] <= keys[right]);
      merged[i] = takesLeft ? keys[left++] : keys[right++];
    }
    for (int i = second; i < size; i++) {
      // Keys differ, because positions do.
      int place = -1 - Arrays.binarySearch(merged, 0, i, keys[i]);
      System.arraycopy(merged, place, merged, place + 1, i - place);
      merged[place] = keys[i];
    }
    return merged;
  }

  private int endOfRun(int start) {
    int end = Math.min(start + 1, size);
    while (end < size && keys[end - 1] < keys[end]) {
      end++;
    }
    return end;
  }
}
