package io.kindred.learning.engine.jvm;

import java.util.BitSet;

/**
 * The steps that a product of {@link Gemm} takes for some of its columns, in ascending order, and
 * where each run of {@link Gemm#RUN_LENGTH} steps begins among them. Steps that multiply by zero
 * can be left out: adding such a product changes no bit of a sum, unless the other factor is
 * infinite or no number, that is in a model that has already diverged.
 */
record GemmSteps(int[] steps, int[] runStarts) {
  /** Every step. */
  static GemmSteps all(int count) {
    BitSet all = new BitSet(count);
    all.set(0, count);
    return of(all, count);
  }

  /** The steps of a set, out of {@code count}. */
  static GemmSteps of(BitSet set, int count) {
    int runs = (count + Gemm.RUN_LENGTH - 1) / Gemm.RUN_LENGTH;
    int[] runStarts = new int[runs + 1];
    for (int run = 1; run <= runs; run++) {
      int from = (run - 1) * Gemm.RUN_LENGTH;
      runStarts[run] = runStarts[run - 1] + set.get(from, from + Gemm.RUN_LENGTH).cardinality();
    }
    return new GemmSteps(set.stream().toArray(), runStarts);
  }
}
