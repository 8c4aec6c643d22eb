package io.kindred.core.weights;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An immutable row of bytes for records, which must not hold arrays. */
public final class Bytes {
  private final byte[] values;

  private Bytes(byte[] values) {
    this.values = values;
  }

  public static Bytes of(byte... values) {
    return new Bytes(values.clone());
  }

  /** Takes the array over: the caller must not write to it afterwards. */
  public static Bytes wrap(byte[] values) {
    return new Bytes(values);
  }

  public int size() {
    return values.length;
  }

  /** The row itself: reading only, for callers that would otherwise copy it. */
  public byte[] shared() {
    return values;
  }

  public byte[] copy() {
    return values.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(values);
  }
}
