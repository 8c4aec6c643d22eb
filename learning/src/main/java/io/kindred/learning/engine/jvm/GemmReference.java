package io.kindred.learning.engine.jvm;

/** The plain loops that define what {@link Gemm} computes, bit by bit. */
final class GemmReference {
  private GemmReference() {}

  /** One of the two factors of each step. */
  interface Factor {
    float at(int step);
  }

  /** The initial value plus runs of {@link Gemm#RUN_LENGTH} products, each a chain from zero. */
  static float sum(float start, int steps, Factor left, Factor right) {
    float sum = start;
    for (int first = 0; first < steps; first += Gemm.RUN_LENGTH) {
      float run = 0;
      for (int k = first; k < Math.min(first + Gemm.RUN_LENGTH, steps); k++) {
        run = Math.fma(left.at(k), right.at(k), run);
      }
      sum += run;
    }
    return sum;
  }
}
