package io.kindred.protocol.discovery;

import io.kindred.core.weights.ByteKernels;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.CodedBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A short description of a model's change. The cosine of two sketches estimates the cosine of the
 * vectors that they were made of. Immutable and shared: a sketch that travels through a thousand
 * views of one process exists once.
 */
@CodedBy(SketchCodec.class)
public final class Sketch {
  static final int MIN_BYTES = 64;
  static final int MAX_BYTES = 4096;

  private static final long NO_FINGERPRINT = -1;

  /**
   * Fingerprints have 48 bits: seven bytes on the wire, and too many to search for an equal one.
   */
  private static final int FINGERPRINT_BITS = 48;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  private final SketchForm form;
  private final byte[] encoded;
  // Of the values; zero for a vector of zeros. Sign sketches have none.
  private final double norm;
  // Computed at first use and kept; two threads may both compute it, to equal values.
  private long fingerprint = NO_FINGERPRINT;

  private Sketch(SketchForm form, byte[] encoded, double norm) {
    this.form = form;
    this.encoded = encoded;
    this.norm = norm;
  }

  /** From the bytes of the wire form, which the sketch takes over. */
  static Sketch wrap(SketchForm form, byte[] encoded) {
    if (encoded.length < MIN_BYTES
        || encoded.length > MAX_BYTES
        || Integer.bitCount(encoded.length) != 1) {
      throw new IllegalArgumentException(
          "a sketch has "
              + MIN_BYTES
              + " to "
              + MAX_BYTES
              + " bytes, a power of two, got "
              + encoded.length);
    }
    return new Sketch(form, encoded, norm(form, encoded));
  }

  private static double norm(SketchForm form, byte[] encoded) {
    return switch (form) {
      case SIGN -> 0;
      case INT8 -> Math.sqrt(ByteKernels.dot(encoded, encoded));
      case FLOAT -> {
        double square = floatProduct(encoded, encoded);
        if (!Double.isFinite(square)) {
          throw new IllegalArgumentException("the values of a sketch must be finite");
        }
        yield Math.sqrt(square);
      }
    };
  }

  /** Encodes values; their number determines the size together with the form. */
  static Sketch encode(SketchForm form, float[] values) {
    byte[] bytes =
        switch (form) {
          case SIGN -> signs(values);
          case INT8 -> steps(values);
          case FLOAT -> {
            byte[] floats = new byte[4 * values.length];
            for (int i = 0; i < values.length; i++) {
              FLOATS.set(floats, 4 * i, values[i]);
            }
            yield floats;
          }
        };
    return wrap(form, bytes);
  }

  private static byte[] signs(float[] values) {
    byte[] bits = new byte[values.length / 8];
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0) {
        bits[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    return bits;
  }

  private static byte[] steps(float[] values) {
    float largest = 0;
    for (float value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    byte[] steps = new byte[values.length];
    if (largest >= Float.MIN_NORMAL) {
      for (int i = 0; i < values.length; i++) {
        steps[i] = (byte) Math.round(values[i] * (double) Byte.MAX_VALUE / largest);
      }
    }
    return steps;
  }

  private static double floatProduct(byte[] one, byte[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i += Float.BYTES) {
      sum += (double) (float) FLOATS.get(one, i) * (float) FLOATS.get(other, i);
    }
    return sum;
  }

  public SketchForm form() {
    return form;
  }

  /** Size in bytes, without the two bytes of form and size on the wire. */
  public int bytes() {
    return encoded.length;
  }

  /** The wire form, shared: reading only. */
  byte[] encoded() {
    return encoded;
  }

  /** The first bits of the SHA-256 of the wire form. */
  public long fingerprint() {
    if (fingerprint == NO_FINGERPRINT) {
      byte[] hash = Digest.sha256().digest(encoded);
      fingerprint = (long) LONGS.get(hash, 0) >>> (Long.SIZE - FINGERPRINT_BITS);
    }
    return fingerprint;
  }

  /** Whether the two sketches have one form and one size; other sketches cannot be compared. */
  public boolean isComparable(Sketch other) {
    return form == other.form && encoded.length == other.encoded.length;
  }

  /** The estimated cosine; zero where a vector is zero, except for the form SIGN. */
  public float cosine(Sketch other) {
    if (!isComparable(other)) {
      throw new IllegalArgumentException("cannot compare " + this + " with " + other);
    }
    if (form == SketchForm.SIGN) {
      return SignCosines.of(8 * encoded.length, ByteKernels.differentBits(encoded, other.encoded));
    }
    double norms = norm * other.norm;
    if (norms == 0) {
      return 0;
    }
    double product =
        form == SketchForm.INT8
            ? ByteKernels.dot(encoded, other.encoded)
            : floatProduct(encoded, other.encoded);
    return (float) Math.clamp(product / norms, -1.0, 1.0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Sketch that
            && form == that.form
            && Arrays.equals(encoded, that.encoded));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoded);
  }

  @Override
  public String toString() {
    return form + " sketch of " + encoded.length + " bytes";
  }
}
