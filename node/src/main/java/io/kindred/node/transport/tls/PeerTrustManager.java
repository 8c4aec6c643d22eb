package io.kindred.node.transport.tls;

import io.kindred.node.identity.Credentials;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.identity.Validity;
import io.kindred.node.transport.Refusals;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets in whom our authority vouches for as a member of our network, and tells whom it did not. It
 * stands in the TLS handshake, so that nobody else gets as far as a message.
 */
public final class PeerTrustManager extends X509ExtendedTrustManager {
  private final Identity identity;
  private final String network;
  private final Refusals refusals;
  private volatile TrustSnapshot trustSnapshot;

  /**
   * Who stood between us and an authority, the last few: whoever was vouched for over one of them
   * is still a member when our own certificate comes over another.
   */
  private final Set<X509Certificate> intermediates = new LinkedHashSet<>();

  private static final int MAX_INTERMEDIATES = 16;

  /** Members whose path is remembered; of more it is looked for again. */
  private static final int MAX_VERIFIED = 10_000;

  /**
   * Paths to our authorities, for as long as these papers are the ones in force.
   *
   * @param verified whom such a path was found for, as it need not be looked for at every call
   */
  private record TrustSnapshot(
      Credentials credentials,
      X509ExtendedTrustManager pathChecker,
      Set<X509Certificate> verified) {}

  /** What is wrong with a certificate. */
  private record CertificateProblem(String kind, String description) {}

  public PeerTrustManager(Identity identity, Refusals refusals) {
    this.identity = identity;
    this.network = identity.member().network();
    this.refusals = refusals;
    this.trustSnapshot = loadTrust(identity.credentials());
  }

  /** Checks what is passed on of members: only what one of ours says counts. */
  public static Predicate<SignedAddress> addressVerifier(Identity identity) {
    PeerTrustManager keeper = new PeerTrustManager(identity, new Refusals(line -> {}));
    return each -> keeper.isTrustedMember(each.certificate());
  }

  private TrustSnapshot loadTrust(Credentials credentials) {
    rememberIntermediates(credentials.chain().subList(1, credentials.chain().size()));
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < credentials.authorities().size(); i++) {
        store.setCertificateEntry("authority-" + i, credentials.authorities().get(i));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager each : factory.getTrustManagers()) {
        if (each instanceof X509ExtendedTrustManager usual) {
          return new TrustSnapshot(credentials, usual, ConcurrentHashMap.newKeySet());
        }
      }
      throw new IllegalStateException("the platform checks no certificates");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a store of certificates that were read", e);
    }
  }

  private void rememberIntermediates(List<X509Certificate> chain) {
    synchronized (intermediates) {
      intermediates.removeAll(chain);
      intermediates.addAll(chain);
      while (intermediates.size() > MAX_INTERMEDIATES) {
        intermediates.remove(intermediates.iterator().next());
      }
    }
  }

  private TrustSnapshot trust() {
    TrustSnapshot known = trustSnapshot;
    Credentials credentials = identity.credentials();
    if (!known.credentials().equals(credentials)) {
      known = loadTrust(credentials);
      trustSnapshot = known;
    }
    return known;
  }

  private interface PathCheck {
    void run(X509ExtendedTrustManager paths) throws CertificateException;
  }

  private void check(String side, X509Certificate[] chain, PathCheck usual)
      throws CertificateException {
    TrustSnapshot now = trust();
    Optional<CertificateProblem> certificateProblem;
    try {
      usual.run(now.pathChecker());
      certificateProblem = problem(now.credentials(), chain[0]);
    } catch (CertificateException refused) {
      if (chain.length == 0) {
        throw refused;
      }
      certificateProblem = Optional.of(problem(now.credentials(), chain, refused));
    }
    if (certificateProblem.isPresent()) {
      reject(side, certificateProblem.get());
      throw new CertificateException(side + " " + certificateProblem.get().description());
    }
  }

  private void reject(String side, CertificateProblem certificateProblem) {
    refusals.add(certificateProblem.kind(), side + " " + certificateProblem.description());
  }

  /** Why no path led from the certificate to us, in words of our own where there are some. */
  private CertificateProblem problem(
      Credentials credentials, X509Certificate[] chain, CertificateException refused) {
    String who = chain[0].getSubjectX500Principal().getName();
    if (!chainsToAuthority(credentials, chain)) {
      return new CertificateProblem(
          "foreign-authority",
          "%s is vouched for by %s, not by our %s"
              .formatted(
                  who,
                  chain[0].getIssuerX500Principal().getName(),
                  credentials.authorities().getFirst().getSubjectX500Principal().getName()));
    }
    // TLS may have looked for a name of our network in vain, which is the same in its words.
    return problem(credentials, chain[0])
        .orElseGet(
            () -> new CertificateProblem("bad-certificate", who + ": " + refused.getMessage()));
  }

  private static boolean chainsToAuthority(Credentials credentials, X509Certificate[] chain) {
    for (X509Certificate each : chain) {
      for (X509Certificate authority : credentials.authorities()) {
        if (each.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is wrong with a certificate that an authority of ours has signed. */
  private Optional<CertificateProblem> problem(
      Credentials credentials, X509Certificate certificate) {
    Optional<Member> stated = Member.of(certificate);
    String who =
        stated.map(Member::toString).orElse(certificate.getSubjectX500Principal().getName());
    Validity validity = Validity.of(certificate);
    Instant now = Instant.now();
    if (validity.isExpired(now)) {
      return problem(
          "expired-certificate", who + " has a certificate that expired at " + validity.until());
    }
    if (validity.isNotYetValid(now)) {
      return problem(
          "early-certificate", who + " has a certificate that is valid from " + validity.from());
    }
    Optional<Instant> revoked = credentials.revocations().revokedAt(certificate);
    if (revoked.isPresent()) {
      return problem(
          "revoked-certificate", who + " has a certificate that was revoked at " + revoked.get());
    }
    if (stated.filter(each -> each.network().equals(network)).isEmpty()) {
      return problem("wrong-network", "%s is not of network %s".formatted(who, network));
    }
    if (!credentials.allows(stated.get().peer())) {
      return problem("not-allowed", who + " is not on the list of those allowed");
    }
    return Optional.empty();
  }

  private static Optional<CertificateProblem> problem(String kind, String words) {
    return Optional.of(new CertificateProblem(kind, words));
  }

  /**
   * Whether a caller whom a handshake let in with these certificates may still call: they end, are
   * revoked and lose their authority while connections last, and a resumed one shows none.
   */
  public boolean admits(List<X509Certificate> chain) {
    TrustSnapshot now = trust();
    Optional<CertificateProblem> certificateProblem = problem(now.credentials(), chain.getFirst());
    if (certificateProblem.isEmpty() && !now.verified().contains(chain.getFirst())) {
      try {
        now.pathChecker().checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
        if (now.verified().size() < MAX_VERIFIED) {
          now.verified().add(chain.getFirst());
        }
      } catch (CertificateException refused) {
        certificateProblem =
            Optional.of(problem(now.credentials(), chain.toArray(X509Certificate[]::new), refused));
      }
    }
    certificateProblem.ifPresent(each -> reject("client", each));
    return certificateProblem.isEmpty();
  }

  /** Whether our authority vouches for a member of our network that somebody speaks of. */
  public boolean isTrustedMember(X509Certificate certificate) {
    TrustSnapshot now = trust();
    List<X509Certificate> path = new ArrayList<>(List.of(certificate));
    // What stands between us and the authority mostly stands between it and others, too.
    synchronized (intermediates) {
      intermediates.stream()
          .filter(each -> now.credentials().revocations().revokedAt(each).isEmpty())
          .forEach(path::add);
    }
    try {
      now.pathChecker().checkClientTrusted(path.toArray(X509Certificate[]::new), "UNKNOWN");
      return problem(now.credentials(), certificate).isEmpty();
    } catch (CertificateException refused) {
      return false;
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check("client", chain, paths -> paths.checkClientTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check("server", chain, paths -> paths.checkServerTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check("client", chain, paths -> paths.checkClientTrusted(chain, type, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check("server", chain, paths -> paths.checkServerTrusted(chain, type, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check("client", chain, paths -> paths.checkClientTrusted(chain, type, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check("server", chain, paths -> paths.checkServerTrusted(chain, type, engine));
  }

  /**
   * Named to nobody: a client that is told whose certificates count keeps a foreign one to itself,
   * and nothing would be left to log.
   */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
