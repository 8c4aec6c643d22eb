package io.kindred.protocol.vrf;

import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.vrf.P256.Point;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

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
  private static final byte[] POSITIVE_Y = {2};
  private static final int CHALLENGE_BYTES = 16;

  /** Gamma, c and s. */
  public static final int PROOF_BYTES = P256.POINT_BYTES + CHALLENGE_BYTES + P256.FIELD_BYTES;

  private Vrf() {}

  /** The one proof that a secret has for a text; section 5.1. */
  public static Bytes prove(VrfSecret secret, Bytes alpha) {
    BigInteger x = secret.number();
    Bytes publicKey = secret.publicKey();
    Point y = P256.decode(publicKey.shared()).orElseThrow();
    Point h = encodeToCurve(publicKey, alpha).orElseThrow();
    Point gamma = P256.multiply(x, h).orElseThrow();
    BigInteger k = nonce(secret, h.encoded());
    Point u = P256.multiply(k, P256.GENERATOR).orElseThrow();
    Point v = P256.multiply(k, h).orElseThrow();
    BigInteger c = challenge(y, h, gamma, u, v);
    byte[] proof = Arrays.copyOf(gamma.encoded(), PROOF_BYTES);
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
    Optional<Point> y = P256.decode(publicKey.shared());
    Optional<Proof> decoded = decode(proof);
    if (y.isEmpty() || decoded.isEmpty()) {
      return Optional.empty();
    }
    Optional<Point> h = encodeToCurve(publicKey, alpha);
    return h.isPresent() && matchesChallenge(decoded.get(), y.get(), h.get())
        ? Optional.of(hash(decoded.get().gamma()))
        : Optional.empty();
  }

  /** The hash that a proof claims, unchecked; empty where the bytes are no proof. Section 5.2. */
  public static Optional<Digest> proofToHash(Bytes proof) {
    return decode(proof).map(decoded -> hash(decoded.gamma()));
  }

  private record Proof(Point gamma, BigInteger c, BigInteger s) {}

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
  private static boolean matchesChallenge(Proof proof, Point y, Point h) {
    Optional<Point> u = P256.multiplyAndAdd(proof.s(), P256.GENERATOR, proof.c(), y.negated());
    Optional<Point> v = P256.multiplyAndAdd(proof.s(), h, proof.c(), proof.gamma().negated());
    return u.isPresent()
        && v.isPresent()
        && challenge(y, h, proof.gamma(), u.get(), v.get()).equals(proof.c());
  }

  /** Tries counters until a hash is the x of a point; every second one is. Section 5.4.1.1. */
  private static Optional<Point> encodeToCurve(Bytes publicKey, Bytes alpha) {
    MessageDigest sha = Digest.sha256();
    for (int counter = 0; counter < 256; counter++) {
      sha.update(SUITE);
      sha.update(ENCODE_TO_CURVE);
      sha.update(publicKey.shared());
      sha.update(alpha.shared());
      sha.update((byte) counter);
      sha.update(END);
      Optional<Point> point = P256.decode(concatenate(POSITIVE_Y, sha.digest()));
      if (point.isPresent()) {
        return point;
      }
    }
    return Optional.empty();
  }

  private static BigInteger challenge(Point... points) {
    MessageDigest sha = Digest.sha256();
    sha.update(SUITE);
    sha.update(CHALLENGE);
    for (Point point : points) {
      sha.update(point.encoded());
    }
    sha.update(END);
    return new BigInteger(1, sha.digest(), 0, CHALLENGE_BYTES);
  }

  private static Digest hash(Point gamma) {
    MessageDigest sha = Digest.sha256();
    sha.update(SUITE);
    sha.update(PROOF_TO_HASH);
    sha.update(gamma.encoded());
    sha.update(END);
    return Digest.ofHash(sha.digest());
  }

  /** A number that follows from secret and message alone: RFC 6979, section 3.2. */
  private static BigInteger nonce(VrfSecret secret, byte[] message) {
    byte[] hashed = new byte[P256.FIELD_BYTES];
    BigInteger reduced = new BigInteger(1, Digest.sha256().digest(message)).mod(P256.ORDER);
    P256.putUnsigned(reduced, hashed, 0, P256.FIELD_BYTES);
    byte[] seed = concatenate(secret.scalar().shared(), hashed);
    byte[] value = new byte[P256.FIELD_BYTES];
    Arrays.fill(value, (byte) 1);
    byte[] key = new byte[P256.FIELD_BYTES];
    for (byte step = 0; step < 2; step++) {
      key = mac(key, concatenate(value, new byte[] {step}, seed));
      value = mac(key, value);
    }
    while (true) {
      value = mac(key, value);
      BigInteger candidate = new BigInteger(1, value);
      if (candidate.signum() > 0 && candidate.compareTo(P256.ORDER) < 0) {
        return candidate;
      }
      key = mac(key, concatenate(value, new byte[] {0}));
      value = mac(key, value);
    }
  }

  private static byte[] mac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  private static byte[] concatenate(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteBuffer joined = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }
}
