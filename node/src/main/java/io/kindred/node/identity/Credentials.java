package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A node's own key and certificates, and the certificates that it accepts, at one moment.
 *
 * @param chain the node's certificate, then the intermediate certificates up to an authority
 * @param authorities the trusted authorities; two while a network moves from one to the next
 * @param revocations the certificates that the authorities have revoked
 * @param allowed the only peers to talk to; if empty, every member that an authority certifies
 */
public record Credentials(
    PrivateKey key,
    List<X509Certificate> chain,
    List<X509Certificate> authorities,
    Revocations revocations,
    Optional<SortedSet<PeerId>> allowed) {
  public Credentials {
    chain = List.copyOf(chain);
    authorities = List.copyOf(authorities);
    allowed = allowed.map(TreeSet::new);
  }

  /** The certificates that may have signed a revocation list. */
  List<X509Certificate> issuers() {
    List<X509Certificate> issuers = new ArrayList<>(authorities);
    issuers.addAll(chain.subList(1, chain.size()));
    return issuers;
  }

  Credentials with(Revocations newer) {
    return new Credentials(key, chain, authorities, newer, allowed);
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  public boolean allows(PeerId peer) {
    return allowed.isEmpty() || allowed.get().contains(peer);
  }
}
