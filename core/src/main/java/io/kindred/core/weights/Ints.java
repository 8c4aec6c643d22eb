package io.kindred.core.weights;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An immutable row of ints for records, which must not hold arrays. */
public final class Ints {
  private final int[] values;

  private Ints(int[] values) {
    this.values = values;
  }

  public static Ints of(int... values) {
    return new Ints(values.clone());
  }

  /** Takes the array over: the caller must not write to it afterwards. */
  public static Ints wrap(int[] values) {
    return new Ints(values);
  }

  public int size() {
    return values.length;
  }

  public int get(int index) {
    return values[index];
  }

  /** The row itself: reading only, for kernels that would otherwise copy it. */
  public int[] shared() {
    return values;
  }

  public int[] copy() {
    return values.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ints that && Arrays.equals(values, that.values);
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
