package io.kindred.node.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;

/** Keys on the curve P-256 and signatures with them, as every Java platform has them. */
final class Keys {
  static final String SIGNATURE = "SHA256withECDSA";

  private Keys() {}

  static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has P-256", e);
    }
  }

  static PrivateKey privateKey(byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  static byte[] sign(PrivateKey key, byte[] content) {
    try {
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing with a P-256 key", e);
    }
  }

  /** Whether the key's owner signed this; a signature that is none is a no. */
  static boolean verifies(PublicKey key, byte[] content, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initVerify(key);
      signature.update(content);
      return signature.verify(signed);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }
}
