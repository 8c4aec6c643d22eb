package io.kindred.node.identity;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;

/**
 * Keys and signatures by the algorithms of every Java platform. Kindred creates P-256 keys; keys
 * that other tools made may also be RSA.
 */
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
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(pkcs8);
    try {
      return KeyFactory.getInstance("EC").generatePrivate(encoded);
    } catch (InvalidKeySpecException notOnACurve) {
      return KeyFactory.getInstance("RSA").generatePrivate(encoded);
    }
  }

  private static String signatureOf(Key key) {
    return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : SIGNATURE;
  }

  static byte[] sign(PrivateKey key, byte[] content) {
    try {
      Signature signature = Signature.getInstance(signatureOf(key));
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing with a key that was read", e);
    }
  }

  /** Whether the key's owner signed this content; false for a malformed signature. */
  static boolean verifies(PublicKey key, byte[] content, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(signatureOf(key));
      signature.initVerify(key);
      signature.update(content);
      return signature.verify(signed);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }
}
