package io.kindred.core.weights;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An immutable row of floats for records, which must not hold arrays. */
public final class Floats {
  private final float[] values;

  private Floats(float[] values) {
    this.values = values;
  }

  public static Floats of(float... values) {
    return new Floats(values.clone());
  }

  /** Takes the array over: the caller must not write to it afterwards. */
  public static Floats wrap(float[] values) {
    return new Floats(values);
  }

  public int size() {
    return values.length;
  }

  public float get(int index) {
    return values[index];
  }

  /** The row itself: reading only, for kernels that would otherwise copy it. */
  public float[] shared() {
    return values;
  }

  public float[] copy() {
    return values.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Floats that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
