package io.kindred.environment.topology;

import io.kindred.core.random.RandomStream;

/**
 * Draws each pair of peers with the same probability, in time proportional to the pairs drawn and
 * not to all pairs: the number of pairs to skip is geometric (Batagelj and Brandes, Efficient
 * Generation of Large Random Networks, Physical Review E 71, 2005).
 */
final class Pairs {
  /** Takes a pair, the lower peer first. */
  interface Consumer {
    void accept(int a, int b);
  }

  private Pairs() {}

  static long count(long peers) {
    return peers * (peers - 1) / 2;
  }

  static void draw(int peers, double probability, RandomStream random, Consumer consumer) {
    if (!(probability > 0)) {
      return;
    }
    // Strict, because another last bit would give another graph. Minus infinity skips nothing.
    double logOfMiss = StrictMath.log1p(-Math.min(1, probability));
    long left = count(peers);
    int b = 1;
    long a = -1;
    while (true) {
      double skip = StrictMath.floor(StrictMath.log(1 - random.nextDouble()) / logOfMiss);
      if (skip >= left) {
        return;
      }
      left -= (long) skip + 1;
      a += (long) skip + 1;
      while (a >= b) {
        a -= b++;
      }
      consumer.accept((int) a, b);
    }
  }
}
