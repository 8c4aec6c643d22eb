package io.kindred.protocol.vrf;

import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.math.BigInteger;
import java.security.MessageDigest;
import org.bouncycastle.math.ec.ECPoint;

/**
 * A peer's secret number for elections, from 1 to the order of the curve exclusive: 32 bytes, high
 * ones first. A separate key, because the arithmetic on it is not constant-time.
 */
public record VrfSecret(Bytes scalar) {
  public VrfSecret {
    BigInteger number = new BigInteger(1, scalar.shared());
    if (scalar.size() != P256.FIELD_BYTES
        || number.signum() == 0
        || number.compareTo(P256.ORDER) >= 0) {
      throw new IllegalArgumentException(
          "the secret must be 32 bytes that hold a number below the curve's order");
    }
  }

  /** A secret that follows from 32 secret bytes; a simulation derives them from its seed. */
  public static VrfSecret derive(Digest seed) {
    MessageDigest sha = Digest.sha256();
    byte[] candidate = seed.bytes();
    while (true) {
      candidate = sha.digest(candidate);
      BigInteger number = new BigInteger(1, candidate);
      if (number.signum() > 0 && number.compareTo(P256.ORDER) < 0) {
        return new VrfSecret(Bytes.wrap(candidate));
      }
    }
  }

  BigInteger number() {
    return new BigInteger(1, scalar.shared());
  }

  /** The key that other peers verify proofs with: 33 bytes, a compressed point. */
  public Bytes publicKey() {
    return Bytes.wrap(P256.encode(publicPoint()));
  }

  ECPoint publicPoint() {
    ECPoint[] product = {P256.multiplyGenerator(number())};
    P256.normalize(product);
    return product[0];
  }

  /** Omits the number: records end up in exception messages. */
  @Override
  public String toString() {
    return "secret of " + publicKey();
  }
}
