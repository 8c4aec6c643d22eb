package io.kindred.node.transport.tls;

import io.kindred.node.identity.Credentials;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.identity.Validity;
import io.kindred.node.transport.RefusalKind;
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
 * Accepts the members of our network whose certificates lead to our authority, and logs the refused
 * ones. It runs in the TLS handshake, so that no other peer can send a message.
 */
public final class PeerTrustManager extends X509ExtendedTrustManager {
  private final Identity identity;
  private final String network;
  private final Refusals refusals;
  private volatile TrustSnapshot trustSnapshot;

  /**
   * The last few intermediate certificates between us and an authority: a member that was certified
   * through one of them remains a member when our own certificate comes through another.
   */
  private final Set<X509Certificate> intermediates = new LinkedHashSet<>();

  private static final int MAX_INTERMEDIATES = 16;

  /** Bound on remembered certificate paths; others are verified again at every call. */
  private static final int MAX_VERIFIED = 10_000;

  /**
   * Verification of certificate paths, for as long as these credentials are in force.
   *
   * @param verified certificates with a verified path, so that not every call has to verify it
   */
  private record TrustSnapshot(
      Credentials credentials,
      X509ExtendedTrustManager pathChecker,
      Set<X509Certificate> verified) {}

  /** What is wrong with a certificate. */
  private record CertificateProblem(RefusalKind kind, String description) {}

  public PeerTrustManager(Identity identity, Refusals refusals) {
    this.identity = identity;
    this.network = identity.member().network();
    this.refusals = refusals;
    this.trustSnapshot = loadTrust(identity.credentials());
  }

  /** Verifies addresses that other members pass on: only a trusted member's own address counts. */
  public static Predicate<SignedAddress> addressVerifier(Identity identity) {
    Predicate<X509Certificate> isTrusted = memberVerifier(identity);
    return each -> isTrusted.test(each.certificate());
  }

  /** Verifies certificates that other members pass on, without a line in the log. */
  public static Predicate<X509Certificate> memberVerifier(Identity identity) {
    PeerTrustManager trustManager = new PeerTrustManager(identity, new Refusals(line -> {}));
    return trustManager::isTrustedMember;
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
        if (each instanceof X509ExtendedTrustManager pathChecker) {
          return new TrustSnapshot(credentials, pathChecker, ConcurrentHashMap.newKeySet());
        }
      }
      throw new IllegalStateException(
          "the Java platform has no trust manager for X.509 certificates");
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

  private void check(String side, X509Certificate[] chain, PathCheck pathCheck)
      throws CertificateException {
    TrustSnapshot now = trust();
    Optional<CertificateProblem> certificateProblem;
    try {
      pathCheck.run(now.pathChecker());
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

  /** Why the certificate has no path to our authority, in our own words where possible. */
  private CertificateProblem problem(
      Credentials credentials, X509Certificate[] chain, CertificateException refused) {
    String subject = chain[0].getSubjectX500Principal().getName();
    if (!chainsToAuthority(credentials, chain)) {
      return new CertificateProblem(
          RefusalKind.FOREIGN_AUTHORITY,
          "%s is signed by %s, not by our authority %s"
              .formatted(
                  subject,
                  chain[0].getIssuerX500Principal().getName(),
                  credentials.authorities().getFirst().getSubjectX500Principal().getName()));
    }
    // TLS may have missed a host name of our network, which our own check describes better.
    return problem(credentials, chain[0])
        .orElseGet(
            () ->
                new CertificateProblem(
                    RefusalKind.BAD_CERTIFICATE, subject + ": " + refused.getMessage()));
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
    Optional<Member> member = Member.of(certificate);
    String subject =
        member.map(Member::toString).orElse(certificate.getSubjectX500Principal().getName());
    Validity validity = Validity.of(certificate);
    Instant now = Instant.now();
    if (validity.isExpired(now)) {
      return problem(
          RefusalKind.EXPIRED_CERTIFICATE,
          subject + " has a certificate that expired at " + validity.until());
    }
    if (validity.isNotYetValid(now)) {
      return problem(
          RefusalKind.EARLY_CERTIFICATE,
          subject + " has a certificate that is not valid before " + validity.from());
    }
    Optional<Instant> revoked = credentials.revocations().revokedAt(certificate);
    if (revoked.isPresent()) {
      return problem(
          RefusalKind.REVOKED_CERTIFICATE,
          subject + " has a certificate that was revoked at " + revoked.get());
    }
    if (member.filter(each -> each.network().equals(network)).isEmpty()) {
      return problem(
          RefusalKind.WRONG_NETWORK,
          "%s is not a member of network %s".formatted(subject, network));
    }
    if (!credentials.allows(member.get().peer())) {
      return problem(RefusalKind.NOT_ALLOWED, subject + " is not in the list of allowed peers");
    }
    return Optional.empty();
  }

  private static Optional<CertificateProblem> problem(RefusalKind kind, String description) {
    return Optional.of(new CertificateProblem(kind, description));
  }

  /**
   * Whether a caller that passed the handshake with these certificates may still call: certificates
   * expire, are revoked and lose their authority while connections last, and a resumed session
   * presents none.
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

  /**
   * Whether a certificate, presented without its chain, is that of a trusted member of our network.
   */
  public boolean isTrustedMember(X509Certificate certificate) {
    TrustSnapshot now = trust();
    List<X509Certificate> path = new ArrayList<>(List.of(certificate));
    // Other members mostly have the same intermediate certificates as this node.
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
   * Names no issuers: a client that gets a list withholds a certificate of another authority, and
   * the server could not log it.
   */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
