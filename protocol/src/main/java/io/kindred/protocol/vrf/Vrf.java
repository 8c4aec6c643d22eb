package io.kindred.protocol.vrf;

import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.math.ec.ECPoint;

/**
 * The verifiable random function ECVRF-P256-SHA256-TAI of RFC 9381: the owner of the secret turns a
 * text into a hash and a proof, and any holder of the public key can verify that the owner had no
 * choice. Names in comments are those of section 5. Not constant-time: see {@link P256}.
 */
public final class Vrf {
  private static final byte SUITE = 1;
  private static final byte ENCODE_TO_CURVE = 1;
  private static final byte CHALLENGE = 2;
  private static final byte PROOF_TO_HASH = 3;
  private static final byte END = 0;
  private static final byte POSITIVE_Y = 2;
  private static final int CHALLENGE_BYTES = 16;

  /** Gamma, c and s. */
  public static final int PROOF_BYTES = P256.POINT_BYTES + CHALLENGE_BYTES + P256.FIELD_BYTES;

  private Vrf() {}

  /** The one proof that a secret has for a text; section 5.1. */
  public static Bytes prove(VrfSecret secret, Bytes alpha) {
    BigInteger x = secret.number();
    ECPoint y = secret.publicPoint();
    ECPoint h = encodeToCurve(P256.encode(y), alpha).orElseThrow();
    BigInteger k = nonce(x, P256.encode(h));
    ECPoint[] gammaUV = {h.multiply(x), P256.multiplyGenerator(k), h.multiply(k)};
    P256.normalize(gammaUV);
    BigInteger c = challenge(y, h, gammaUV[0], gammaUV[1], gammaUV[2]);
    byte[] proof = Arrays.copyOf(P256.encode(gammaUV[0]), PROOF_BYTES);
    P256.putUnsigned(c, proof, P256.POINT_BYTES, CHALLENGE_BYTES);
    BigInteger s = c.multiply(x).add(k).mod(P256.ORDER);
    P256.putUnsigned(s, proof, P256.POINT_BYTES + CHALLENGE_BYTES, P256.FIELD_BYTES);
    return Bytes.wrap(proof);
  }

  /**
   * The hash of a text under a key, where the proof shows it; empty for any other bytes, whatever
   * they are. Section 5.3.
   */
  public static Optional<Digest> verify(Bytes publicKey, Bytes alpha, Bytes proof) {
    Optional<ECPoint> y = P256.decode(publicKey.shared());
    Optional<Proof> decoded = decode(proof);
    if (y.isEmpty() || decoded.isEmpty()) {
      return Optional.empty();
    }
    Optional<ECPoint> h = encodeToCurve(publicKey.shared(), alpha);
    return h.isPresent() && matchesChallenge(decoded.get(), y.get(), h.get())
        ? Optional.of(hash(decoded.get().gamma()))
        : Optional.empty();
  }

  /** The hash that a proof claims, unchecked; empty where the bytes are no proof. Section 5.2. */
  public static Optional<Digest> proofToHash(Bytes proof) {
    return decode(proof).map(decoded -> hash(decoded.gamma()));
  }

  private record Proof(ECPoint gamma, BigInteger c, BigInteger s) {}

  private static Optional<Proof> decode(Bytes proof) {
    if (proof.size() != PROOF_BYTES) {
      return Optional.empty();
    }
    byte[] bytes = proof.shared();
    int sFrom = P256.POINT_BYTES + CHALLENGE_BYTES;
    BigInteger c = new BigInteger(1, bytes, P256.POINT_BYTES, CHALLENGE_BYTES);
    BigInteger s = new BigInteger(1, bytes, sFrom, P256.FIELD_BYTES);
    if (s.compareTo(P256.ORDER) >= 0) {
      return Optional.empty();
    }
    return P256.decode(Arrays.copyOf(bytes, P256.POINT_BYTES)).map(gamma -> new Proof(gamma, c, s));
  }

  /** Whether c follows from U = s B - c Y and V = s H - c Gamma. */
  private static boolean matchesChallenge(Proof proof, ECPoint y, ECPoint h) {
    BigInteger c = proof.c();
    BigInteger s = proof.s();
    ECPoint[] uv = {
      P256.multiplyGenerator(s).subtract(y.multiply(c)),
      P256.multiplyAndAdd(s, h, c, proof.gamma().negate())
    };
    P256.normalize(uv);
    return !uv[0].isInfinity()
        && !uv[1].isInfinity()
        && challenge(y, h, proof.gamma(), uv[0], uv[1]).equals(c);
  }

  /** Tries counters until a hash is the x of a point; every second one is. Section 5.4.1.1. */
  private static Optional<ECPoint> encodeToCurve(byte[] publicKey, Bytes alpha) {
    MessageDigest sha = Digest.sha256();
    for (int counter = 0; counter < 256; counter++) {
      sha.update(SUITE);
      sha.update(ENCODE_TO_CURVE);
      sha.update(publicKey);
      sha.update(alpha.shared());
      sha.update((byte) counter);
      sha.update(END);
      byte[] encoded = new byte[P256.POINT_BYTES];
      encoded[0] = POSITIVE_Y;
      System.arraycopy(sha.digest(), 0, encoded, 1, P256.FIELD_BYTES);
      Optional<ECPoint> point = P256.decode(encoded);
      if (point.isPresent()) {
        return point;
      }
    }
    return Optional.empty();
  }

  private static BigInteger challenge(ECPoint... points) {
    MessageDigest sha = Digest.sha256();
    sha.update(SUITE);
    sha.update(CHALLENGE);
    for (ECPoint point : points) {
      sha.update(P256.encode(point));
    }
    sha.update(END);
    return new BigInteger(1, sha.digest(), 0, CHALLENGE_BYTES);
  }

  private static Digest hash(ECPoint gamma) {
    MessageDigest sha = Digest.sha256();
    sha.update(SUITE);
    sha.update(PROOF_TO_HASH);
    sha.update(P256.encode(gamma));
    sha.update(END);
    return Digest.ofHash(sha.digest());
  }

  /** A number that follows from secret and message alone: RFC 6979, section 3.2. */
  private static BigInteger nonce(BigInteger secret, byte[] message) {
    HMacDSAKCalculator calculator = new HMacDSAKCalculator(SHA256Digest.newInstance());
    calculator.init(P256.ORDER, secret, Digest.sha256().digest(message));
    return calculator.nextK();
  }
}
