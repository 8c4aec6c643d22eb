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
 * Where a member can be reached, in its own words: signed with its key, and with the certificate
 * that vouches for the key, so that anybody may pass it on and nobody can change it.
 *
 * @param signature in base 64
 * @param timestampMillis when it was said, in milliseconds since 1970 by the member's clock; the
 *     newest counts
 */
public record SignedAddress(
    Member member,
    String host,
    int port,
    long timestampMillis,
    X509Certificate certificate,
    String signature) {
  /** Signed before the words themselves, so that the signature can mean nothing else. */
  private static final byte[] PURPOSE = "kindred address 1".getBytes(StandardCharsets.US_ASCII);

  private static final int MOST_HOST = 255;
  private static final String RELAY_PREFIX = "relay:";

  /** Says where this member is. */
  public static SignedAddress of(Identity identity, String host, int port, long stamp) {
    byte[] said = signedContent(identity.member(), host, port, stamp);
    return new SignedAddress(
        identity.member(),
        host,
        port,
        stamp,
        identity.certificate(),
        Base64.getEncoder().encodeToString(identity.sign(said)));
  }

  /** Says that nobody can connect to this member: another one hands its messages on. */
  public static SignedAddress viaRelay(Identity identity, PeerId relay, long stamp) {
    return of(identity, RELAY_PREFIX + relay.number(), 1, stamp);
  }

  /**
   * Whether a connection can be made to a host of that name. It has to be what a URI takes for a
   * host, as gRPC makes a URI of it: no underscores, no blanks.
   */
  public static boolean isHost(String name) {
    if (name.isEmpty() || name.length() > MOST_HOST) {
      return false;
    }
    try {
      String host = new URI(null, null, name, 1, null, null, null).getHost();
      // A slash or an @ would make something else of the rest.
      return name.equals(host) || ("[" + name + "]").equals(host);
    } catch (URISyntaxException none) {
      return false;
    }
  }

  /** Who hands on this member's messages, if it says so. No host has a colon in its name. */
  public Optional<PeerId> relay() {
    return host.matches(RELAY_PREFIX + "\\d{1,18}")
        ? Optional.of(new PeerId(Long.parseLong(host.substring(RELAY_PREFIX.length()))))
        : Optional.empty();
  }

  private static byte[] signedContent(Member member, String host, int port, long stamp) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeBytes(PURPOSE);
    out.writeText(member.uri());
    out.writeText(host);
    out.writeLong(port);
    out.writeLong(stamp);
    return out.toBytes();
  }

  /** Whether the member that the certificate is of has said so; who issued that is not asked. */
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
    try {
      byte[] encoded = certificate.getEncoded();
      out.writeCount(encoded.length);
      out.writeBytes(encoded);
    } catch (CertificateException e) {
      throw new IllegalStateException("a certificate that was read", e);
    }
    out.writeText(signature);
  }

  /** Reads what anybody may have written; it counts for nothing until it is checked. */
  public static SignedAddress read(WireInput in) throws MalformedException {
    String host = in.readText();
    long port = in.readLong();
    long stamp = in.readLong();
    X509Certificate certificate;
    try {
      certificate = Identity.decoded(in.readBytes(in.readCount(1)));
    } catch (CertificateException e) {
      throw new MalformedException("an address with a certificate that is none");
    }
    String signature = in.readText();
    Optional<Member> member = Member.of(certificate);
    if (member.isEmpty() || port < 1 || port > 65_535) {
      throw new MalformedException("an address that cannot be a member's");
    }
    SignedAddress read =
        new SignedAddress(member.get(), host, (int) port, stamp, certificate, signature);
    if (read.relay().isEmpty() && !isHost(host)) {
      throw new MalformedException("an address with a host that nobody can connect to");
    }
    return read;
  }
}
