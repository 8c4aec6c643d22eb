package io.kindred.core.weights;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels over the few entries of a flat vector that matter: choosing them, and multiplying them
 * with a dense vector. Merging two sorted index lists is the wrong kernel; scattering one's own
 * entries into a dense scratch once and gathering from it for each other peer takes time
 * proportional to the entries and hardly any branches.
 */
public final class Sparse {
  private static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= Flat.LANES
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  /** The 31 bits of a magnitude as three digits, of 11, 11 and 9 bits. */
  private static final int[] DIGIT_SHIFTS = {20, 9, 0};

  private static final int DIGIT_VALUES = 1 << 11;

  private Sparse() {}

  /**
   * The places of the {@code count} values that are largest without their sign, ascending; ties go
   * to the lower place. Values must be numbers. Takes three passes whatever the values: bits of a
   * float without its sign sort like it.
   */
  public static Ints largest(float[] values, int count) {
    if (count < 0 || count > values.length) {
      throw new IllegalArgumentException(count + " of " + values.length + " values");
    }
    if (count == 0) {
      return Ints.of();
    }
    int threshold = threshold(values, count);
    int above = 0;
    for (float value : values) {
      if (magnitude(value) > threshold) {
        above++;
      }
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
   * The magnitude of the value that is in place {@code count} when sorted from the largest, by
   * radix selection.
   */
  private static int threshold(float[] values, int count) {
    int known = 0;
    int knownBits = 0;
    int wanted = count;
    for (int shift : DIGIT_SHIFTS) {
      int[] histogram = new int[DIGIT_VALUES];
      for (float value : values) {
        int magnitude = magnitude(value);
        if ((magnitude & knownBits) == known) {
          histogram[(magnitude & ~knownBits) >>> shift]++;
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
   * The sum of products of entries with the dense values at their places, in the lanes and the tree
   * of {@link Flat}.
   */
  public static float gatherDot(float[] dense, int[] places, float[] entries) {
    float[] lanes = new float[Flat.LANES];
    int full = places.length - places.length % Flat.LANES;
    for (int lane = 0; lane < Flat.LANES; lane += SPECIES.length()) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int i = lane; i < full; i += Flat.LANES) {
        FloatVector gathered = FloatVector.fromArray(SPECIES, dense, 0, places, i);
        sum = gathered.fma(FloatVector.fromArray(SPECIES, entries, i), sum);
      }
      sum.intoArray(lanes, lane);
    }
    for (int i = full; i < places.length; i++) {
      lanes[i - full] = Math.fma(dense[places[i]], entries[i], lanes[i - full]);
    }
    return Flat.sumLanes(lanes, 0);
  }
}
