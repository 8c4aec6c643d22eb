package io.kindred.learning.engine;

/** The plain loops that say what {@link Product} and {@link Correlation} compute, bit by bit. */
final class ProductReference {
  private ProductReference() {}

  /** What is summed up: the two factors of each step. */
  interface Factor {
    float at(int step);
  }

  /** The start plus runs of {@link Product#RUN} products, each a chain from zero. */
  static float sum(float start, int steps, Factor left, Factor right) {
    float sum = start;
    for (int first = 0; first < steps; first += Product.RUN) {
      float run = 0;
      for (int k = first; k < Math.min(first + Product.RUN, steps); k++) {
        run = Math.fma(left.at(k), right.at(k), run);
      }
      sum += run;
    }
    return sum;
  }
}
