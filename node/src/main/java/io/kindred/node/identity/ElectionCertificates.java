package io.kindred.node.identity;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.ProofMessage;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.vrf.VrfSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The certificates of the peers whose election proofs a node has received. Proofs are checked
 * against the keys that these certificates state. A proof may be of a peer that this node never
 * connects to, so every message with a proof brings that peer's certificate. A file keeps the
 * certificates for a restart and for replays.
 */
public final class ElectionCertificates {
  private final Path file;
  private final long peers;
  private final Predicate<X509Certificate> isTrusted;
  private final SortedMap<PeerId, X509Certificate> certificates = new TreeMap<>();

  /**
   * Reads the certificates of earlier incarnations, apart from those no longer trusted.
   *
   * @param peers number of peers with election scores; other members have none
   */
  public ElectionCertificates(Path file, long peers, Predicate<X509Certificate> isTrusted) {
    this.file = file;
    this.peers = peers;
    this.isTrusted = isTrusted;
    if (Files.exists(file)) {
      Identity.certificates(file).stream().filter(isTrusted).forEach(this::remember);
    }
  }

  /** The certificates of an earlier run, for a replay of its events. */
  public static ElectionCertificates ofRecording(Path file, long peers) {
    return new ElectionCertificates(file, peers, each -> true);
  }

  private boolean remember(X509Certificate certificate) {
    Optional<PeerId> peer = Member.of(certificate).map(Member::peer);
    if (peer.isEmpty() || peer.get().number() >= peers || ElectionKey.of(certificate).isEmpty()) {
      return false;
    }
    X509Certificate known = certificates.get(peer.get());
    if (known != null && !Validity.of(known).from().isBefore(Validity.of(certificate).from())) {
      return false;
    }
    certificates.put(peer.get(), certificate);
    return true;
  }

  /** Keeps the certificates that a trusted authority signed, the newest of each peer. */
  public synchronized void learn(List<X509Certificate> received) {
    for (X509Certificate each : received) {
      if (!certificates.containsValue(each) && isTrusted.test(each) && remember(each)) {
        append(each);
      }
    }
  }

  private void append(X509Certificate certificate) {
    try {
      Files.writeString(
          file,
          Pem.text(Identity.CERTIFICATE, certificate.getEncoded()),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException | CertificateException unwritten) {
      // A full disk must not stop an election; after a restart the next message brings the
      // certificate again.
    }
  }

  /** Forgets the certificates that are no longer trusted, after the credentials have changed. */
  public synchronized void recheckTrust() {
    certificates.values().removeIf(each -> !isTrusted.test(each));
  }

  private synchronized Optional<Bytes> keyOf(PeerId peer) {
    return Optional.ofNullable(certificates.get(peer)).flatMap(ElectionKey::of);
  }

  /** The certificates that a message needs for its proofs. */
  public synchronized List<X509Certificate> neededBy(
      Message message, PeerId sender, X509Certificate own) {
    if (!(message instanceof ProofMessage proof)) {
      return List.of();
    }
    PeerId prover = proof.prover(sender);
    return prover.equals(sender)
        ? List.of(own)
        : Optional.ofNullable(certificates.get(prover)).stream().toList();
  }

  /**
   * How a node takes part in elections: it draws with its own secret, and checks proofs against
   * certified keys. Only the first epoch follows from the seed of the experiment.
   */
  public LongFunction<ElectionIdentity> elections(long seed, Supplier<VrfSecret> secret) {
    return number ->
        new ElectionIdentity(
            secret.get(), ElectionIdentity.firstEpoch(seed), ProofVerifier.uncached(this::keyOf));
  }
}
