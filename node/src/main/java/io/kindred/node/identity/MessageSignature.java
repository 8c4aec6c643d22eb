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
 * A sender's word for a message that somebody else hands on: signed with its key for one receiver,
 * with the certificate that vouches for the key. Whoever hands it on can neither change it nor pass
 * it off as its own.
 *
 * @param signature in base 64
 */
public record MessageSignature(X509Certificate certificate, String signature) {
  private static final byte[] PURPOSE = "kindred relay 1".getBytes(StandardCharsets.US_ASCII);
  private static final String SEPARATOR = ".";

  /** Puts this member's word on a message; its header names the digests of all that follows. */
  public static MessageSignature of(
      Identity identity, PeerId receiver, String number, byte[] header) {
    byte[] signed = identity.sign(signedContent(receiver, number, header));
    return new MessageSignature(identity.certificate(), Base64.getEncoder().encodeToString(signed));
  }

  private static byte[] signedContent(PeerId receiver, String number, byte[] header) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeBytes(PURPOSE);
    out.writeLong(receiver.number());
    out.writeText(number);
    out.writeBytes(header);
    return out.toBytes();
  }

  /** Whose word it is, if it is anybody's for this message; who issued that is not asked. */
  public Optional<Member> of(PeerId receiver, String number, byte[] header) {
    try {
      boolean signed =
          Keys.verifies(
              certificate.getPublicKey(),
              signedContent(receiver, number, header),
              Base64.getDecoder().decode(signature));
      return signed ? Member.of(certificate) : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  /** In one word that headers of calls can carry. */
  public String encode() {
    try {
      return Base64.getEncoder().encodeToString(certificate.getEncoded()) + SEPARATOR + signature;
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read", e);
    }
  }

  /** Reads what anybody may have written. */
  public static MessageSignature parse(String text) throws MalformedException {
    int between = text.indexOf(SEPARATOR);
    try {
      return new MessageSignature(
          Identity.decoded(Base64.getDecoder().decode(text.substring(0, Math.max(0, between)))),
          text.substring(between + 1));
    } catch (CertificateException | IllegalArgumentException none) {
      throw new MalformedException("a seal that is none");
    }
  }
}
