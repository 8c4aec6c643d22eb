package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireOutput;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;

/**
 * A sender's signature on a message that a relay forwards: made for one receiver, and sent with the
 * sender's certificate. The relay can neither change the message nor claim it as its own.
 *
 * @param signature in base 64
 */
public record MessageSignature(X509Certificate certificate, String signature) {
  private static final byte[] PURPOSE = "kindred relay 1".getBytes(StandardCharsets.US_ASCII);
  private static final String SEPARATOR = ".";

  /**
   * Signs a message. Signing its header is enough, because the header names the digests of all that
   * follows.
   */
  public static MessageSignature sign(
      Identity identity, PeerId receiver, String messageId, byte[] header) {
    byte[] signed = identity.sign(signedContent(receiver, messageId, header));
    return new MessageSignature(identity.certificate(), Base64.getEncoder().encodeToString(signed));
  }

  private static byte[] signedContent(PeerId receiver, String messageId, byte[] header) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeBytes(PURPOSE);
    out.writeLong(receiver.number());
    out.writeText(messageId);
    out.writeBytes(header);
    return out.toBytes();
  }

  /**
   * The member that signed this message; empty if the signature does not match. The issuer of the
   * certificate is not checked.
   */
  public Optional<Member> verifiedSigner(PeerId receiver, String messageId, byte[] header) {
    try {
      boolean signed =
          Keys.verifies(
              certificate.getPublicKey(),
              signedContent(receiver, messageId, header),
              Base64.getDecoder().decode(signature));
      return signed ? Member.of(certificate) : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  /** Certificate and signature as one string for the metadata of a call. */
  public String encode() {
    try {
      return Base64.getEncoder().encodeToString(certificate.getEncoded()) + SEPARATOR + signature;
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read", e);
    }
  }

  /** Parses a string of an untrusted sender. */
  public static MessageSignature parse(String text) throws MalformedException {
    int separator = text.indexOf(SEPARATOR);
    try {
      return new MessageSignature(
          Identity.decoded(Base64.getDecoder().decode(text.substring(0, Math.max(0, separator)))),
          text.substring(separator + 1));
    } catch (CertificateException | IllegalArgumentException none) {
      throw new MalformedException("the message signature cannot be parsed");
    }
  }
}
