package io.kindred.node.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values by buckets with fixed upper bounds. Any thread may add a value; a snapshot that is
 * taken at the same time has the value in its buckets and its count, or in neither.
 */
public final class Histogram {
  /**
   * The counts at one moment.
   *
   * @param bounds upper bounds of the buckets, the last bucket has none
   * @param cumulative values up to each bound, then all values
   * @param sum of all values
   */
  public record Snapshot(List<Double> bounds, List<Long> cumulative, double sum) {
    public Snapshot {
      bounds = List.copyOf(bounds);
      cumulative = List.copyOf(cumulative);
    }

    /** Number of values. */
    public long count() {
      return cumulative.getLast();
    }
  }

  private final double[] bounds;
  private final LongAdder[] buckets;
  private final DoubleAdder sum = new DoubleAdder();

  private Histogram(double... bounds) {
    this.bounds = bounds.clone();
    buckets = new LongAdder[bounds.length + 1];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** For seconds, from a millisecond to ten minutes. */
  static Histogram ofSeconds() {
    return new Histogram(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600);
  }

  /** For bytes, from a kilobyte to a gigabyte. */
  static Histogram ofBytes() {
    return new Histogram(1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9);
  }

  void add(double value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    sum.add(value);
    buckets[bucket].increment();
  }

  Snapshot snapshot() {
    List<Double> upper = new ArrayList<>();
    List<Long> cumulative = new ArrayList<>();
    long all = 0;
    for (int i = 0; i < buckets.length; i++) {
      all += buckets[i].sum();
      cumulative.add(all);
      if (i < bounds.length) {
        upper.add(bounds[i]);
      }
    }
    return new Snapshot(upper, cumulative, sum.sum());
  }
}
