package io.kindred.protocol.signature;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.CodedBy;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a vector at a few indices, zero elsewhere (SemanticDFL, section 3.2). Immutable;
 * its values are already rounded to the precision that is sent.
 */
@CodedBy(SignatureCodec.class)
public final class Signature {
  private final int dimension;
  private final Precision precision;
  private final Ints indices;
  private final Floats values;
  private final double norm;
  // Encoded at first use and kept: a search sends one signature to hundreds of peers.
  private byte @Nullable [] encoded;
  // Made at first use and kept, for the same reason.
  private @Nullable IndexBits indexBits;

  private Signature(int dimension, Precision precision, Ints indices, Floats values) {
    this.dimension = dimension;
    this.precision = precision;
    this.indices = indices;
    this.values = values;
    float[] shared = values.shared();
    float square = VectorKernels.dot(shared, 0, shared, 0, shared.length);
    // Within this bound the product of any two signatures is a number.
    if (!Float.isFinite(square)) {
      throw new IllegalArgumentException("a signature's norm must be below 1.8e19");
    }
    norm = Math.sqrt(square);
  }

  /** Indices ascend strictly below the dimension; values are finite and get rounded. */
  public static Signature of(int dimension, Precision precision, Ints indices, Floats values) {
    if (indices.size() != values.size()) {
      throw new IllegalArgumentException(
          indices.size() + " indices with " + values.size() + " values");
    }
    int last = -1;
    for (int index : indices.shared()) {
      if (index <= last || index >= dimension) {
        throw new IllegalArgumentException(
            "index " + index + " after " + last + " in a vector of " + dimension);
      }
      last = index;
    }
    float[] rounded = values.copy();
    for (float value : rounded) {
      if (!Float.isFinite(value)) {
        throw new IllegalArgumentException("a signature's value must be a number, got " + value);
      }
    }
    precision.round(rounded);
    return new Signature(dimension, precision, indices, Floats.wrap(rounded));
  }

  /** The vector's own values at the given indices. */
  public static Signature mask(Weights subject, Ints indices, Precision precision) {
    return of(subject.size(), precision, indices, gather(subject.shared(), indices));
  }

  static Floats gather(float[] dense, Ints indices) {
    float[] values = new float[indices.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = dense[indices.get(i)];
    }
    return Floats.wrap(values);
  }

  /**
   * The length of the vector that the signature represents; only equal dimensions can be compared.
   */
  public int dimension() {
    return dimension;
  }

  public Precision precision() {
    return precision;
  }

  public Ints indices() {
    return indices;
  }

  public Floats values() {
    return values;
  }

  /** The number of entries, P. */
  public int size() {
    return indices.size();
  }

  /** The wire form, shared: reading only. Two threads may both encode it, to equal bytes. */
  byte[] encoded() {
    byte[] known = encoded;
    if (known == null) {
      known = SignatureCodec.encode(this);
      encoded = known;
    }
    return known;
  }

  /** Bytes on the wire. */
  public long bytes() {
    byte[] known = encoded;
    return known != null ? known.length : SignatureCodec.size(this);
  }

  /**
   * The cosine, summed in doubles from the lowest index to the highest. Zero where either signature
   * is zero. {@link SignatureScorer} compares one with many, faster and less exactly.
   */
  public double cosine(Signature other) {
    requireComparable(other);
    boolean areDense =
        IndexBits.isWorthwhile(dimension, size())
            && IndexBits.isWorthwhile(dimension, other.size());
    double sum =
        areDense
            ? IndexBits.sumOfProducts(
                indexBits(), values.shared(), other.indexBits(), other.values.shared())
            : sumOfMerged(other);
    return cosine(sum, other);
  }

  private IndexBits indexBits() {
    IndexBits known = indexBits;
    if (known == null) {
      known = IndexBits.of(dimension, indices.shared());
      indexBits = known;
    }
    return known;
  }

  /** The same sum by merging the two lists: the plain reference, and faster for few entries. */
  double sumOfMerged(Signature other) {
    double sum = 0;
    int i = 0;
    int j = 0;
    while (i < size() && j < other.size()) {
      int here = indices.get(i);
      int there = other.indices.get(j);
      if (here == there) {
        sum += (double) values.get(i) * other.values.get(j);
      }
      i += here <= there ? 1 : 0;
      j += there <= here ? 1 : 0;
    }
    return sum;
  }

  double cosine(double product, Signature other) {
    double norms = norm * other.norm;
    return norms == 0 ? 0 : Math.clamp(product / norms, -1.0, 1.0);
  }

  void requireComparable(Signature other) {
    if (dimension != other.dimension) {
      throw new IllegalArgumentException(
          "signatures of different models: " + dimension + " and " + other.dimension + " weights");
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Signature that
        && dimension == that.dimension
        && precision == that.precision
        && indices.equals(that.indices)
        && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return 31 * indices.hashCode() + values.hashCode();
  }

  @Override
  public String toString() {
    return "signature of " + size() + " in " + dimension;
  }
}
