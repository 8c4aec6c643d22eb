package io.kindred.node.identity;

import io.kindred.core.weights.Bytes;
import io.kindred.protocol.vrf.VrfSecret;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;

/**
 * The key that a node draws its election scores with. Its public half is an extension of the node's
 * certificate, so one certificate stands for one key, and a member cannot choose a better key after
 * it has seen the scores of others.
 */
final class ElectionKey {
  /** An identifier of the UUID branch (ITU-T X.667), which needs no registration. */
  static final ASN1ObjectIdentifier EXTENSION =
      new ASN1ObjectIdentifier("2.25.217386043853118306520947615829364711025");

  private static final int SCALAR_BYTES = 32;
  private static final int POINT_BYTES = 33;

  private ElectionKey() {}

  static VrfSecret secret(Path file) {
    PrivateKey key = Identity.privateKey(file);
    if (!(key instanceof ECPrivateKey onCurve)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          file + " is not a P-256 key; make one with 'kindred node init'");
    }
    return new VrfSecret(unsigned(onCurve.getS()));
  }

  /** The compressed public key of a pair. */
  static Bytes publicKey(KeyPair pair) {
    ECPublicKey key = (ECPublicKey) pair.getPublic();
    byte[] compressed = new byte[POINT_BYTES];
    compressed[0] = (byte) (key.getW().getAffineY().testBit(0) ? 3 : 2);
    System.arraycopy(unsigned(key.getW().getAffineX()).shared(), 0, compressed, 1, POINT_BYTES - 1);
    return Bytes.wrap(compressed);
  }

  private static Bytes unsigned(BigInteger number) {
    byte[] signed = number.toByteArray();
    byte[] fixed = new byte[SCALAR_BYTES];
    int length = Math.min(signed.length, SCALAR_BYTES);
    System.arraycopy(signed, signed.length - length, fixed, SCALAR_BYTES - length, length);
    return Bytes.wrap(fixed);
  }

  static Extension extension(Bytes publicKey) {
    return new Extension(EXTENSION, false, encoded(publicKey));
  }

  private static byte[] encoded(Bytes publicKey) {
    try {
      return new DEROctetString(publicKey.shared()).getEncoded();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  /** The key that an extension states; empty where it states none of the right size. */
  static Optional<Bytes> of(Extension extension) {
    return Optional.of(
            Bytes.wrap(ASN1OctetString.getInstance(extension.getParsedValue()).getOctets()))
        .filter(key -> key.size() == POINT_BYTES);
  }

  /** The key that a certificate states; empty where it states none, or a malformed one. */
  static Optional<Bytes> of(X509Certificate certificate) {
    byte[] value = certificate.getExtensionValue(EXTENSION.getId());
    if (value == null) {
      return Optional.empty();
    }
    try {
      byte[] inner = ASN1OctetString.getInstance(value).getOctets();
      return Optional.of(Bytes.wrap(ASN1OctetString.getInstance(inner).getOctets()))
          .filter(key -> key.size() == POINT_BYTES);
    } catch (IllegalArgumentException | ClassCastException malformed) {
      return Optional.empty();
    }
  }
}
