package io.kindred.protocol.vrf;

import java.math.BigInteger;
import java.util.Optional;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.util.BigIntegers;

/**
 * The curve P-256 (FIPS 186-4, D.1.2.3) of BouncyCastle, whose points all have the order {@link
 * #ORDER}. BouncyCastle does not promise constant running times: use it for election keys only.
 */
final class P256 {
  static final int FIELD_BYTES = 32;
  static final int POINT_BYTES = 1 + FIELD_BYTES;

  private static final X9ECParameters PARAMETERS = CustomNamedCurves.getByName("secp256r1");
  static final ECCurve CURVE = PARAMETERS.getCurve();
  static final ECPoint GENERATOR = PARAMETERS.getG();
  static final BigInteger ORDER = PARAMETERS.getN();

  private P256() {}

  /** Reads a compressed point; empty where the bytes name none. */
  static Optional<ECPoint> decode(byte[] bytes) {
    // BouncyCastle also decodes uncompressed points and the point at infinity.
    if (bytes.length != POINT_BYTES || (bytes[0] != 2 && bytes[0] != 3)) {
      return Optional.empty();
    }
    try {
      return Optional.of(CURVE.decodePoint(bytes));
    } catch (IllegalArgumentException noPoint) {
      return Optional.empty();
    }
  }

  /** Compressed, as SEC 1 specifies: a byte for the parity of y, then x. */
  static byte[] encode(ECPoint normalized) {
    return normalized.getEncoded(true);
  }

  /**
   * Replaces projective coordinates by affine ones, which {@link #encode} needs, with one inversion
   * for all points. {@link ECPoint#normalize} needs one for each point, and blinds it with a number
   * from a global random.
   */
  static void normalize(ECPoint... points) {
    CURVE.normalizeAll(points);
  }

  /** k times the generator, from a table of its multiples. */
  static ECPoint multiplyGenerator(BigInteger k) {
    return new FixedPointCombMultiplier().multiply(GENERATOR, k);
  }

  /** j P + k Q in one pass over the bits of both. */
  static ECPoint multiplyAndAdd(BigInteger j, ECPoint p, BigInteger k, ECPoint q) {
    return ECAlgorithms.sumOfTwoMultiplies(p, j, q, k);
  }

  static void putUnsigned(BigInteger value, byte[] bytes, int from, int count) {
    BigIntegers.asUnsignedByteArray(value, bytes, from, count);
  }
}
