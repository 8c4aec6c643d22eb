package io.kindred.core.weights;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels over the few entries of a flat vector that matter: selecting them, and multiplying them
 * with a dense vector. Merging two sorted index lists is the wrong kernel; scattering a peer's own
 * entries into a dense scratch vector once and gathering from it for each other peer takes time
 * proportional to the entries and hardly any branches.
 */
public final class SparseKernels {
  private static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= VectorKernels.LANES
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  /** The 31 bits of a magnitude as three digits, of 11, 11 and 9 bits. */
  private static final int FIRST_SHIFT = 20;

  private static final int[] OTHER_SHIFTS = {9, 0};
  private static final int DIGIT_VALUES = 1 << 11;

  /**
   * Neighbouring values often share a digit; alternating between histograms avoids stalls on one
   * counter.
   */
  private static final int HISTOGRAMS = 4;

  private SparseKernels() {}

  /**
   * The indices of the {@code count} values of largest magnitude, ascending; ties go to the lower
   * index. Values must be numbers. Takes three passes whatever the values: the bits of a float
   * without its sign sort like its magnitude.
   */
  public static Ints largest(float[] values, int count) {
    if (count < 0 || count > values.length) {
      throw new IllegalArgumentException(count + " of " + values.length + " values");
    }
    if (count == 0) {
      return Ints.of();
    }
    int threshold = threshold(values, count);
    // The next index overwrites one that was not selected: no branch depends on a value.
    int[] places = new int[count + 1];
    int next = 0;
    for (int i = 0; i < values.length && next <= count; i++) {
      places[next] = i;
      next += magnitude(values[i]) >= threshold ? 1 : 0;
    }
    return next == count
        ? Ints.wrap(Arrays.copyOf(places, count))
        : largestAmongTies(values, count, threshold);
  }

  /** More values equal the threshold than can be selected: those at the lowest indices are. */
  private static Ints largestAmongTies(float[] values, int count, int threshold) {
    int above = 0;
    for (float value : values) {
      above += magnitude(value) > threshold ? 1 : 0;
    }
    int[] places = new int[count];
    int equalLeft = count - above;
    int next = 0;
    for (int i = 0; i < values.length && next < count; i++) {
      int magnitude = magnitude(values[i]);
      if (magnitude > threshold || (magnitude == threshold && equalLeft-- > 0)) {
        places[next++] = i;
      }
    }
    return Ints.wrap(places);
  }

  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & 0x7fff_ffff;
  }

  /**
   * The magnitude at rank {@code count}, from the largest, by radix selection: the first digit over
   * all values, the other digits over the values that share it.
   */
  private static int threshold(float[] values, int count) {
    int[] histogram = firstDigits(values);
    int digit = DIGIT_VALUES - 1;
    int wanted = count;
    while (histogram[digit] < wanted) {
      wanted -= histogram[digit--];
    }
    int[] candidates = new int[histogram[digit] + 1];
    int found = 0;
    for (float value : values) {
      int magnitude = magnitude(value);
      candidates[found] = magnitude;
      found += magnitude >>> FIRST_SHIFT == digit ? 1 : 0;
    }
    return select(candidates, found, wanted, digit << FIRST_SHIFT);
  }

  private static int[] firstDigits(float[] values) {
    int[] counts = new int[HISTOGRAMS * DIGIT_VALUES];
    for (int i = 0; i < values.length; i++) {
      counts[i % HISTOGRAMS * DIGIT_VALUES + (magnitude(values[i]) >>> FIRST_SHIFT)]++;
    }
    int[] histogram = new int[DIGIT_VALUES];
    for (int i = 0; i < counts.length; i++) {
      histogram[i % DIGIT_VALUES] += counts[i];
    }
    return histogram;
  }

  /** Radix selection among magnitudes that share their first digit. */
  private static int select(int[] magnitudes, int size, int count, int first) {
    int known = first;
    int knownBits = 0x7fff_ffff >>> FIRST_SHIFT << FIRST_SHIFT;
    int wanted = count;
    for (int shift : OTHER_SHIFTS) {
      int[] histogram = new int[DIGIT_VALUES];
      for (int i = 0; i < size; i++) {
        if ((magnitudes[i] & knownBits) == known) {
          histogram[(magnitudes[i] & ~knownBits) >>> shift]++;
        }
      }
      int digit = DIGIT_VALUES - 1;
      while (histogram[digit] < wanted) {
        wanted -= histogram[digit--];
      }
      known |= digit << shift;
      knownBits = 0x7fff_ffff >>> shift << shift;
    }
    return known;
  }

  /** Writes entries into a dense vector, which is zero elsewhere. */
  public static void scatter(int[] places, float[] entries, float[] dense) {
    for (int i = 0; i < places.length; i++) {
      dense[places[i]] = entries[i];
    }
  }

  /** Undoes {@link #scatter}: cheaper than filling the whole vector with zeros. */
  public static void clear(int[] places, float[] dense) {
    for (int place : places) {
      dense[place] = 0;
    }
  }

  /**
   * The sum of products of entries with the dense values at their indices, in the lanes and the
   * summation tree of {@link VectorKernels}.
   */
  public static float gatherDot(float[] dense, int[] places, float[] entries) {
    float[] lanes = new float[VectorKernels.LANES];
    int full = places.length - places.length % VectorKernels.LANES;
    for (int lane = 0; lane < VectorKernels.LANES; lane += SPECIES.length()) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int i = lane; i < full; i += VectorKernels.LANES) {
        FloatVector gathered = FloatVector.fromArray(SPECIES, dense, 0, places, i);
        sum = gathered.fma(FloatVector.fromArray(SPECIES, entries, i), sum);
      }
      sum.intoArray(lanes, lane);
    }
    for (int i = full; i < places.length; i++) {
      lanes[i - full] = Math.fma(dense[places[i]], entries[i], lanes[i - full]);
    }
    return VectorKernels.sumLanes(lanes, 0);
  }
}
