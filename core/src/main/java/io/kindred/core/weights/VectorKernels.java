package io.kindred.core.weights;

import java.util.List;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels over flat vectors, on the Vector API. Sums run in {@value #LANES} logical lanes that are
 * added by one fixed tree, whatever the width of the hardware, so the bits equal those of the plain
 * loops in the tests (VectorKernelsReference) everywhere, interpreted or compiled. Lane reductions
 * of the API are not used: their order is unspecified.
 */
public final class VectorKernels {
  /** Logical lanes of every sum: one 512-bit register, two of 256 bits, four of 128. */
  public static final int LANES = 16;

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = Math.min(SPECIES.length(), LANES);

  private VectorKernels() {}

  /** y = y + a x, over {@code count} floats from the given offsets. */
  public static void axpy(float a, float[] x, int xFrom, float[] y, int yFrom, int count) {
    int bound = SPECIES.loopBound(count);
    int i = 0;
    for (; i < bound; i += SPECIES.length()) {
      FloatVector xs = FloatVector.fromArray(SPECIES, x, xFrom + i);
      FloatVector ys = FloatVector.fromArray(SPECIES, y, yFrom + i);
      xs.fma(FloatVector.broadcast(SPECIES, a), ys).intoArray(y, yFrom + i);
    }
    for (; i < count; i++) {
      y[yFrom + i] = Math.fma(x[xFrom + i], a, y[yFrom + i]);
    }
  }

  /** The sum of products over {@code count} floats. */
  public static float dot(float[] x, int xFrom, float[] y, int yFrom, int count) {
    float[] lanes = new float[LANES];
    int full = count - count % LANES;
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      FloatVector sum = FloatVector.zero(LaneSpecies.OF);
      for (int i = lane; i < full; i += LANES) {
        FloatVector xs = FloatVector.fromArray(LaneSpecies.OF, x, xFrom + i);
        sum = xs.fma(FloatVector.fromArray(LaneSpecies.OF, y, yFrom + i), sum);
      }
      sum.intoArray(lanes, lane);
    }
    for (int i = full; i < count; i++) {
      lanes[i - full] = Math.fma(x[xFrom + i], y[yFrom + i], lanes[i - full]);
    }
    return sumLanes(lanes, 0);
  }

  /** The fixed tree: halves are added to halves until one value is left. */
  public static float sumLanes(float[] lanes, int from) {
    float a = sumStridedByFour(lanes, from) + sumStridedByFour(lanes, from + 2);
    float b = sumStridedByFour(lanes, from + 1) + sumStridedByFour(lanes, from + 3);
    return a + b;
  }

  private static float sumStridedByFour(float[] lanes, int from) {
    return (lanes[from] + lanes[from + 8]) + (lanes[from + 4] + lanes[from + 12]);
  }

  public static float dot(Weights x, Weights y) {
    requireSameSize(x, y);
    return dot(x.shared(), 0, y.shared(), 0, x.size());
  }

  /**
   * Cosine of the angle between two vectors; zero where one of them is zero. Values whose squares
   * leave the range of a float make it zero or NaN: the weights of a working model are far from
   * that range.
   */
  public static double cosine(Weights x, Weights y) {
    requireSameSize(x, y);
    float[] lanes = new float[3 * LANES];
    products(x.shared(), y.shared(), lanes);
    double norms =
        Math.sqrt((double) sumLanes(lanes, 0)) * Math.sqrt((double) sumLanes(lanes, LANES));
    return norms == 0 ? 0 : Math.clamp(sumLanes(lanes, 2 * LANES) / norms, -1.0, 1.0);
  }

  /**
   * The lanes of x x, y y and x y, as {@link #dot} computes them, in one pass over both vectors.
   */
  private static void products(float[] x, float[] y, float[] lanes) {
    int full = x.length - x.length % LANES;
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      FloatVector xx = FloatVector.zero(LaneSpecies.OF);
      FloatVector yy = FloatVector.zero(LaneSpecies.OF);
      FloatVector xy = FloatVector.zero(LaneSpecies.OF);
      for (int i = lane; i < full; i += LANES) {
        FloatVector xs = FloatVector.fromArray(LaneSpecies.OF, x, i);
        FloatVector ys = FloatVector.fromArray(LaneSpecies.OF, y, i);
        xx = xs.fma(xs, xx);
        yy = ys.fma(ys, yy);
        xy = xs.fma(ys, xy);
      }
      xx.intoArray(lanes, lane);
      yy.intoArray(lanes, LANES + lane);
      xy.intoArray(lanes, 2 * LANES + lane);
    }
    for (int i = full; i < x.length; i++) {
      int lane = i - full;
      lanes[lane] = Math.fma(x[i], x[i], lanes[lane]);
      lanes[LANES + lane] = Math.fma(y[i], y[i], lanes[LANES + lane]);
      lanes[2 * LANES + lane] = Math.fma(x[i], y[i], lanes[2 * LANES + lane]);
    }
  }

  /**
   * The weighted sum of the mixture's parts, added up in the order in which they are listed. Each
   * pass adds four parts: it reads and writes the sum once for all of them, and the bits stay those
   * of adding one part after another.
   */
  public static Weights mix(Mixture mixture) {
    List<MixturePart> parts = mixture.parts();
    Weights first = parts.getFirst().weights();
    for (MixturePart mixturePart : parts) {
      requireSameSize(first, mixturePart.weights());
    }
    float[] sum = new float[first.size()];
    int next = 0;
    for (; next + 4 <= parts.size(); next += 4) {
      addFour(parts.subList(next, next + 4), sum);
    }
    for (MixturePart part : parts.subList(next, parts.size())) {
      axpy((float) part.coefficient(), part.weights().shared(), 0, sum, 0, sum.length);
    }
    return Weights.wrap(first.layout(), sum);
  }

  /** The difference of two vectors, such as a model's change since the start. */
  public static Weights minus(Weights one, Weights other) {
    return mix(new Mixture(List.of(new MixturePart(one, 1), new MixturePart(other, -1))));
  }

  private static void addFour(List<MixturePart> parts, float[] sum) {
    float a = (float) parts.get(0).coefficient();
    float b = (float) parts.get(1).coefficient();
    float c = (float) parts.get(2).coefficient();
    float d = (float) parts.get(3).coefficient();
    float[] w = parts.get(0).weights().shared();
    float[] x = parts.get(1).weights().shared();
    float[] y = parts.get(2).weights().shared();
    float[] z = parts.get(3).weights().shared();
    int bound = SPECIES.loopBound(sum.length);
    int i = 0;
    for (; i < bound; i += SPECIES.length()) {
      FloatVector total = FloatVector.fromArray(SPECIES, sum, i);
      total = FloatVector.fromArray(SPECIES, w, i).fma(FloatVector.broadcast(SPECIES, a), total);
      total = FloatVector.fromArray(SPECIES, x, i).fma(FloatVector.broadcast(SPECIES, b), total);
      total = FloatVector.fromArray(SPECIES, y, i).fma(FloatVector.broadcast(SPECIES, c), total);
      total = FloatVector.fromArray(SPECIES, z, i).fma(FloatVector.broadcast(SPECIES, d), total);
      total.intoArray(sum, i);
    }
    for (; i < sum.length; i++) {
      float total = Math.fma(w[i], a, sum[i]);
      total = Math.fma(x[i], b, total);
      total = Math.fma(y[i], c, total);
      sum[i] = Math.fma(z[i], d, total);
    }
  }

  private static void requireSameSize(Weights x, Weights y) {
    if (x.size() != y.size()) {
      throw new IllegalArgumentException(
          "weights of different models: " + x.size() + " and " + y.size() + " values");
    }
  }

  /** The widest species that does not exceed the logical lanes. */
  private static final class LaneSpecies {
    static final VectorSpecies<Float> OF =
        SPECIES.length() <= LANES ? SPECIES : FloatVector.SPECIES_512;
  }
}
