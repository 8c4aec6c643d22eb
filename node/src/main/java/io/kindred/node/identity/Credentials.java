package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a node shows of itself and whose papers it accepts, at one moment.
 *
 * @param chain what vouches for the key: its certificate, then those of whoever stands between it
 *     and an authority
 * @param authorities whose word counts; two while a network moves from one to the next
 * @param revocations what they have taken back
 * @param allowed the only peers to talk to, if not everybody whom an authority vouches for
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

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  public boolean allows(PeerId peer) {
    return allowed.isEmpty() || allowed.get().contains(peer);
  }
}
