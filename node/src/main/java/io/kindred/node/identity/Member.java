package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A peer of a network, as a certificate names it: as a URI, which servers read, and as a host name,
 * which every TLS client checks by itself.
 */
public record Member(String network, PeerId peer) {
  /** A network's id is part of a host name. */
  private static final Pattern NETWORK = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private static final Pattern URI = Pattern.compile("kindred://([a-z0-9-]{1,63})/(\\d{1,18})");

  /** The kind of alternative name that is a URI (RFC 5280, section 4.2.1.6). */
  private static final int URI_KIND = 6;

  public Member {
    if (!isNetwork(network)) {
      throw new IllegalArgumentException("'" + network + "' cannot be the id of a network");
    }
    if (peer.number() < 0) {
      throw new IllegalArgumentException(peer + " cannot be a member");
    }
  }

  /** Whether an id consists of lower-case letters, digits and inner hyphens, at most 63 in all. */
  public static boolean isNetwork(String id) {
    return NETWORK.matcher(id).matches();
  }

  public String uri() {
    return "kindred://" + network + "/" + peer.number();
  }

  /** The host name that a TLS client requires in the server's certificate. */
  public String hostName() {
    return "peer-" + peer.number() + "." + network + ".kindred";
  }

  /** The member that a certificate names; empty where it names none. */
  public static Optional<Member> of(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names == null) {
        return Optional.empty();
      }
      for (List<?> name : names) {
        if (name.get(0).equals(URI_KIND)) {
          Matcher matcher = URI.matcher(String.valueOf(name.get(1)));
          if (matcher.matches() && isNetwork(matcher.group(1))) {
            PeerId peer = new PeerId(Long.parseLong(matcher.group(2)));
            return Optional.of(new Member(matcher.group(1), peer));
          }
        }
      }
      return Optional.empty();
    } catch (CertificateParsingException unreadable) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return peer + " of network " + network;
  }
}
