package io.kindred.protocol.signature;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts of whole numbers by size class, from which quantiles are read. Peers send sketches up the
 * hierarchy in place of each peer's own number. Sketches merge in any order to the same sketch.
 * Numbers below 128 have a class each, larger ones share one with those that have the same leading
 * seven bits, so a quantile is never below the exact one and less than 1/64 of it above. There are
 * at most 1,664 classes.
 */
public record QuantileSketch(SortedMap<Integer, Long> counts) {
  private static final int LEADING_BITS = 6;
  private static final int CLASSES = classOf(Integer.MAX_VALUE) + 1;

  public QuantileSketch {
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    counts.forEach(
        (size, count) -> {
          if (size < 0 || size >= CLASSES || count <= 0) {
            throw new IllegalArgumentException(count + " numbers of class " + size);
          }
        });
  }

  public static QuantileSketch empty() {
    return new QuantileSketch(new TreeMap<>());
  }

  public static QuantileSketch of(int number) {
    return empty().with(number);
  }

  /** Adds one number, which must not be negative. */
  public QuantileSketch with(int number) {
    if (number < 0) {
      throw new IllegalArgumentException("a number must be at least 0, got " + number);
    }
    SortedMap<Integer, Long> more = new TreeMap<>(counts);
    more.merge(classOf(number), 1L, QuantileSketch::add);
    return new QuantileSketch(more);
  }

  public QuantileSketch merge(QuantileSketch other) {
    SortedMap<Integer, Long> sum = new TreeMap<>(counts);
    other.counts.forEach((size, count) -> sum.merge(size, count, QuantileSketch::add));
    return new QuantileSketch(sum);
  }

  /** How many numbers were added. */
  public long count() {
    long sum = 0;
    for (long count : counts.values()) {
      sum = add(sum, count);
    }
    return sum;
  }

  /**
   * The largest number of the class that holds the number at place ceil(share * count) from the
   * smallest; zero for an empty sketch.
   */
  public int quantile(double share) {
    long left = Math.max(1, (long) Math.ceil(share * count()));
    int largest = 0;
    for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
      largest = largestOf(entry.getKey());
      left -= entry.getValue();
      if (left <= 0) {
        break;
      }
    }
    return largest;
  }

  private static int classOf(int number) {
    int shift = shift(number);
    return (shift << LEADING_BITS) + (number >>> shift);
  }

  private static int shift(int number) {
    int length = Integer.SIZE - Integer.numberOfLeadingZeros(number);
    return Math.max(0, length - LEADING_BITS - 1);
  }

  private static int largestOf(int sizeClass) {
    int shift = Math.max(0, (sizeClass >>> LEADING_BITS) - 1);
    long next = ((long) sizeClass - ((long) shift << LEADING_BITS) + 1) << shift;
    return (int) (next - 1);
  }

  /** Saturates: counts come from other peers and may be false, but must not cause a failure. */
  private static long add(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
