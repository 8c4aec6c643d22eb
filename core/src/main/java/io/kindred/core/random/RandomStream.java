package io.kindred.core.random;

/**
 * One stream of random numbers: xoshiro256++ (Blackman and Vigna), seeded through SplitMix64. Not
 * the JDK's implementation, because runs must replay on later JDKs, and the JDK promises the
 * generators but not the derived draws.
 */
public final class RandomStream {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long s0;
  private long s1;
  private long s2;
  private long s3;

  RandomStream(long seed) {
    long state = seed + GOLDEN_GAMMA;
    s0 = mix(state);
    state += GOLDEN_GAMMA;
    s1 = mix(state);
    state += GOLDEN_GAMMA;
    s2 = mix(state);
    state += GOLDEN_GAMMA;
    s3 = mix(state);
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  public long nextLong() {
    long result = Long.rotateLeft(s0 + s3, 23) + s0;
    long t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = Long.rotateLeft(s3, 45);
    return result;
  }

  /** Uniform in [0, 1). */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  public double uniform(double from, double to) {
    return from + (to - from) * nextDouble();
  }

  /** Uniform in [0, bound), without bias. */
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive, got " + bound);
    }
    long limit = (1L << 32) - (1L << 32) % bound;
    long draw;
    do {
      draw = nextLong() >>> 32;
    } while (draw >= limit);
    return (int) (draw % bound);
  }

  /**
   * Standard normal, by the polar method; the second value is dropped so that a stream has no
   * hidden state.
   */
  public double nextGaussian() {
    double u;
    double s;
    do {
      u = 2 * nextDouble() - 1;
      double v = 2 * nextDouble() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * Math.sqrt(-2 * StrictMath.log(s) / s);
  }

  /**
   * The logarithm of a gamma draw with this shape and scale one (Marsaglia and Tsang, 2000); safe
   * for tiny shapes.
   */
  public double nextLogGamma(double shape) {
    if (!(shape > 0) || Double.isInfinite(shape)) {
      throw new IllegalArgumentException("shape must be positive and finite, got " + shape);
    }
    if (shape < 1) {
      // Boosted to shape + 1 in the log domain, where u^(1/shape) cannot underflow to zero.
      double u = 1 - nextDouble();
      return nextLogGamma(shape + 1) + StrictMath.log(u) / shape;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = nextGaussian();
      double v = 1 + c * x;
      if (v <= 0) {
        continue;
      }
      v = v * v * v;
      double u = 1 - nextDouble();
      if (StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
        return StrictMath.log(d * v);
      }
    }
  }

  /**
   * Proportions drawn from a symmetric Dirichlet distribution; they sum to one for any positive
   * alpha.
   */
  public double[] nextDirichlet(int size, double alpha) {
    double[] logs = new double[size];
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      logs[i] = nextLogGamma(alpha);
      largest = Math.max(largest, logs[i]);
    }
    double sum = 0;
    for (int i = 0; i < size; i++) {
      logs[i] = StrictMath.exp(logs[i] - largest);
      sum += logs[i];
    }
    for (int i = 0; i < size; i++) {
      logs[i] /= sum;
    }
    return logs;
  }

  /** Puts the values into a uniformly random order. */
  public void shuffle(int[] values) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = nextInt(i + 1);
      int kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  /** The numbers 0 to size - 1 in random order. */
  public int[] permutation(int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    shuffle(order);
    return order;
  }
}
