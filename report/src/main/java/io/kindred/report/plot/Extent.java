package io.kindred.report.plot;

/** The finite range of values seen so far; empty is (NaN, NaN). */
record Extent(double low, double high) {
  static final Extent EMPTY = new Extent(Double.NaN, Double.NaN);

  Extent with(double value) {
    if (!Double.isFinite(value)) {
      return this;
    }
    return Double.isNaN(low)
        ? new Extent(value, value)
        : new Extent(Math.min(low, value), Math.max(high, value));
  }
}
