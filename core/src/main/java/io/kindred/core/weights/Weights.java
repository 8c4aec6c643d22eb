package io.kindred.core.weights;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A model's weights: one flat vector that never changes, shared by reference between peers,
 * messages and tickets and freed by the collector. Equality is equality of layout and bits.
 */
public final class Weights {
  private static final int CHUNK_FLOATS = 4096;

  private final Layout layout;
  private final float[] values;
  private volatile @Nullable Digest digest;
  private volatile @Nullable Boolean finite;

  private Weights(Layout layout, float[] values) {
    this.layout = layout;
    this.values = values;
  }

  /** Takes the array over: the caller must not write to it afterwards. */
  public static Weights wrap(Layout layout, float[] values) {
    if (values.length != layout.size()) {
      throw new IllegalArgumentException(
          "layout has " + layout.size() + " weights, array has " + values.length);
    }
    return new Weights(layout, values);
  }

  /** The same where the digest of these bits is known, so that it is not computed again. */
  public static Weights wrap(Layout layout, float[] values, Digest digest) {
    Weights weights = wrap(layout, values);
    weights.digest = digest;
    return weights;
  }

  public static Weights copyOf(Layout layout, float[] values) {
    return wrap(layout, values.clone());
  }

  public Layout layout() {
    return layout;
  }

  public int size() {
    return values.length;
  }

  /**
   * The vector itself, shared: reading only. Kernels and engines take it from here without a copy.
   */
  public float[] shared() {
    return values;
  }

  public float[] copy() {
    return values.clone();
  }

  public float get(int index) {
    return values[index];
  }

  /** What the vector takes on the wire and on disk, as 32-bit floats. */
  public long bytes() {
    return 4L * values.length;
  }

  /** SHA-256 over the little-endian bits; computed once, by whichever thread asks first. */
  public Digest digest() {
    Digest known = digest;
    if (known == null) {
      known = computeDigest();
      digest = known;
    }
    return known;
  }

  /** Whether every weight is finite; computed once, like the digest. */
  public boolean isFinite() {
    Boolean known = finite;
    if (known == null) {
      known = computeFinite();
      finite = known;
    }
    return known;
  }

  private boolean computeFinite() {
    // Zero times NaN or infinity is NaN, and NaN survives in a sum: no branch per entry.
    float sum = 0;
    for (float value : values) {
      sum += 0 * value;
    }
    return sum == 0;
  }

  private Digest computeDigest() {
    MessageDigest sha = Digest.sha256();
    ByteBuffer chunk =
        ByteBuffer.allocate(4 * Math.min(CHUNK_FLOATS, Math.max(1, values.length)))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < values.length; from += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, values.length - from);
      chunk.clear();
      chunk.asFloatBuffer().put(values, from, count);
      chunk.limit(4 * count);
      sha.update(chunk);
    }
    return Digest.ofHash(sha.digest());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Weights that
        && layout.equals(that.layout)
        && digest().equals(that.digest());
  }

  @Override
  public int hashCode() {
    return digest().hashCode();
  }

  @Override
  public String toString() {
    return "weights " + digest();
  }
}
