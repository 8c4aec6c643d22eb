package io.kindred.protocol.vrf;

import java.math.BigInteger;
import java.util.Optional;

/**
 * Arithmetic on the curve P-256 (FIPS 186-4, D.1.2.3), whose points all have the order {@link
 * #ORDER}. Running times depend on the numbers, secret ones included: use it for election keys
 * only.
 */
final class P256 {
  static final int FIELD_BYTES = 32;
  static final int POINT_BYTES = 1 + FIELD_BYTES;

  static final BigInteger FIELD =
      hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
  static final BigInteger ORDER =
      hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  static final BigInteger B =
      hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");

  private static final BigInteger THREE = BigInteger.valueOf(3);
  private static final BigInteger ROOT_EXPONENT = FIELD.add(BigInteger.ONE).shiftRight(2);

  static final Point GENERATOR =
      new Point(
          hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
          hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"));

  private P256() {}

  private static BigInteger hex(String digits) {
    return new BigInteger(digits, 16);
  }

  /** A point of the curve other than the one at infinity, which is never passed to a caller. */
  record Point(BigInteger x, BigInteger y) {
    Point negated() {
      return new Point(x, FIELD.subtract(y));
    }

    /** Compressed, as SEC 1 has it: a byte that tells the parity of y, then x. */
    byte[] encoded() {
      byte[] bytes = new byte[POINT_BYTES];
      bytes[0] = (byte) (y.testBit(0) ? 3 : 2);
      putUnsigned(x, bytes, 1, FIELD_BYTES);
      return bytes;
    }
  }

  /** Reads a compressed point; empty where the bytes name none. */
  static Optional<Point> decode(byte[] bytes) {
    if (bytes.length != POINT_BYTES || (bytes[0] != 2 && bytes[0] != 3)) {
      return Optional.empty();
    }
    BigInteger x = new BigInteger(1, bytes, 1, FIELD_BYTES);
    if (x.compareTo(FIELD) >= 0) {
      return Optional.empty();
    }
    BigInteger square = x.multiply(x).subtract(THREE).multiply(x).add(B).mod(FIELD);
    BigInteger root = square.modPow(ROOT_EXPONENT, FIELD);
    // A root of zero would have no odd twin; no point of a curve of odd order has one.
    if (!root.multiply(root).mod(FIELD).equals(square) || root.signum() == 0) {
      return Optional.empty();
    }
    boolean odd = bytes[0] == 3;
    return Optional.of(new Point(x, root.testBit(0) == odd ? root : FIELD.subtract(root)));
  }

  static void putUnsigned(BigInteger value, byte[] bytes, int from, int count) {
    byte[] signed = value.toByteArray();
    int skip = Math.max(0, signed.length - count);
    int length = signed.length - skip;
    System.arraycopy(signed, skip, bytes, from + count - length, length);
  }

  /** k P; empty where that is the point at infinity. */
  static Optional<Point> multiply(BigInteger k, Point point) {
    return multiplyAndAdd(k, point, BigInteger.ZERO, point);
  }

  /** j P + k Q in one pass over the bits of both; empty where that is the point at infinity. */
  static Optional<Point> multiplyAndAdd(BigInteger j, Point p, BigInteger k, Point q) {
    Jacobian first = Jacobian.of(p);
    Jacobian second = Jacobian.of(q);
    Jacobian both = first.plus(second);
    Jacobian sum = Jacobian.INFINITY;
    for (int bit = Math.max(j.bitLength(), k.bitLength()) - 1; bit >= 0; bit--) {
      sum = sum.doubled();
      if (j.testBit(bit) && k.testBit(bit)) {
        sum = sum.plus(both);
      } else if (j.testBit(bit)) {
        sum = sum.plus(first);
      } else if (k.testBit(bit)) {
        sum = sum.plus(second);
      }
    }
    return sum.affine();
  }

  /** The point (x / z^2, y / z^3); z is zero at infinity. Needs no division until the end. */
  private record Jacobian(BigInteger x, BigInteger y, BigInteger z) {
    static final Jacobian INFINITY = new Jacobian(BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO);

    static Jacobian of(Point point) {
      return new Jacobian(point.x(), point.y(), BigInteger.ONE);
    }

    private static BigInteger times(BigInteger a, BigInteger b) {
      return a.multiply(b).mod(FIELD);
    }

    Jacobian doubled() {
      if (z.signum() == 0) {
        return this;
      }
      BigInteger zz = times(z, z);
      BigInteger yy = times(y, y);
      BigInteger xyy = times(x, yy);
      // The curve's a is -3, so 3 x^2 + a z^4 factors.
      BigInteger slope = times(x.subtract(zz).multiply(THREE), x.add(zz));
      BigInteger newX = slope.multiply(slope).subtract(xyy.shiftLeft(3)).mod(FIELD);
      BigInteger yyyy8 = yy.multiply(yy).shiftLeft(3);
      BigInteger newY = slope.multiply(xyy.shiftLeft(2).subtract(newX)).subtract(yyyy8).mod(FIELD);
      return new Jacobian(newX, newY, times(y.shiftLeft(1), z));
    }

    Jacobian plus(Jacobian other) {
      if (z.signum() == 0) {
        return other;
      }
      if (other.z.signum() == 0) {
        return this;
      }
      BigInteger zz = times(z, z);
      BigInteger otherZz = times(other.z, other.z);
      BigInteger u = times(x, otherZz);
      BigInteger s = times(y, times(otherZz, other.z));
      BigInteger run = times(other.x, zz).subtract(u).mod(FIELD);
      BigInteger rise = times(other.y, times(zz, z)).subtract(s).mod(FIELD);
      if (run.signum() == 0) {
        return rise.signum() == 0 ? doubled() : INFINITY;
      }
      BigInteger runSquare = times(run, run);
      BigInteger runCube = times(runSquare, run);
      BigInteger v = times(u, runSquare);
      BigInteger newX = rise.multiply(rise).subtract(runCube).subtract(v.shiftLeft(1)).mod(FIELD);
      BigInteger newY = rise.multiply(v.subtract(newX)).subtract(s.multiply(runCube)).mod(FIELD);
      return new Jacobian(newX, newY, times(times(z, other.z), run));
    }

    Optional<Point> affine() {
      if (z.signum() == 0) {
        return Optional.empty();
      }
      BigInteger inverse = z.modInverse(FIELD);
      BigInteger square = times(inverse, inverse);
      return Optional.of(new Point(times(x, square), times(y, times(square, inverse))));
    }
  }
}
