package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;

/**
 * A member's address, signed with the member's key and sent with its certificate, so that any node
 * may pass it on and none can change it.
 *
 * @param signature in base 64
 * @param timestampMillis when the member signed the address, in milliseconds since 1970 by the
 *     member's clock; the newest address counts
 */
public record SignedAddress(
    Member member,
    String host,
    int port,
    long timestampMillis,
    X509Certificate certificate,
    String signature) {
  /** Prefix of the signed content, so that the signature is valid for no other purpose. */
  private static final byte[] PURPOSE = "kindred address 1".getBytes(StandardCharsets.US_ASCII);

  private static final int MOST_HOST = 255;
  private static final String RELAY_PREFIX = "relay:";

  /** Signs the address of this identity's member. */
  public static SignedAddress of(Identity identity, String host, int port, long timestampMillis) {
    byte[] content = signedContent(identity.member(), host, port, timestampMillis);
    return new SignedAddress(
        identity.member(),
        host,
        port,
        timestampMillis,
        identity.certificate(),
        Base64.getEncoder().encodeToString(identity.sign(content)));
  }

  /**
   * Signs that this identity's member accepts no connections and that a relay forwards its
   * messages.
   */
  public static SignedAddress viaRelay(Identity identity, PeerId relay, long timestampMillis) {
    return of(identity, RELAY_PREFIX + relay.number(), 1, timestampMillis);
  }

  /**
   * Whether gRPC can connect to a host of that name. gRPC makes a URI of it, so the name must be a
   * valid host of a URI: no underscores, no blanks.
   */
  public static boolean isHost(String name) {
    if (name.isEmpty() || name.length() > MOST_HOST) {
      return false;
    }
    try {
      String host = new URI(null, null, name, 1, null, null, null).getHost();
      // With a slash or an @ in the name, the URI takes only a part of it as the host.
      return name.equals(host) || ("[" + name + "]").equals(host);
    } catch (URISyntaxException none) {
      return false;
    }
  }

  /**
   * The relay of this member, if it has one. No host name or IPv6 address begins with the prefix.
   */
  public Optional<PeerId> relay() {
    return host.matches(RELAY_PREFIX + "\\d{1,18}")
        ? Optional.of(new PeerId(Long.parseLong(host.substring(RELAY_PREFIX.length()))))
        : Optional.empty();
  }

  private static byte[] signedContent(Member member, String host, int port, long timestampMillis) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeBytes(PURPOSE);
    out.writeText(member.uri());
    out.writeText(host);
    out.writeLong(port);
    out.writeLong(timestampMillis);
    return out.toBytes();
  }

  /**
   * Whether the certificate names this member and the signature is valid. The issuer of the
   * certificate is not checked.
   */
  public boolean isSigned() {
    try {
      return Member.of(certificate).equals(Optional.of(member))
          && Keys.verifies(
              certificate.getPublicKey(),
              signedContent(member, host, port, timestampMillis),
              Base64.getDecoder().decode(signature));
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  public void write(WireOutput out) {
    out.writeText(host);
    out.writeLong(port);
    out.writeLong(timestampMillis);
    writeCertificate(certificate, out);
    out.writeText(signature);
  }

  public static void writeCertificate(X509Certificate certificate, WireOutput out) {
    try {
      byte[] encoded = certificate.getEncoded();
      out.writeCount(encoded.length);
      out.writeBytes(encoded);
    } catch (CertificateException e) {
      throw new IllegalStateException("a certificate that was read", e);
    }
  }

  /** Reads a certificate of an untrusted sender, whose issuer must still be checked. */
  public static X509Certificate readCertificate(WireInput in) throws MalformedException {
    try {
      return Identity.decoded(in.readBytes(in.readCount(1)));
    } catch (CertificateException e) {
      throw new MalformedException("a certificate cannot be parsed");
    }
  }

  /**
   * Reads an address of an untrusted sender, which must not be used before its signature is
   * checked.
   */
  public static SignedAddress read(WireInput in) throws MalformedException {
    String host = in.readText();
    long port = in.readLong();
    long timestampMillis = in.readLong();
    X509Certificate certificate = readCertificate(in);
    String signature = in.readText();
    Optional<Member> member = Member.of(certificate);
    if (member.isEmpty() || port < 1 || port > 65_535) {
      throw new MalformedException("a signed address has no member or no valid port");
    }
    SignedAddress read =
        new SignedAddress(member.get(), host, (int) port, timestampMillis, certificate, signature);
    if (read.relay().isEmpty() && !isHost(host)) {
      throw new MalformedException("a signed address has a host that is not a valid host name");
    }
    return read;
  }
}
