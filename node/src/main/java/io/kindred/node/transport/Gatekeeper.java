package io.kindred.node.transport;

import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Papers;
import io.kindred.node.identity.Statement;
import io.kindred.node.identity.Validity;
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
final class Gatekeeper extends X509ExtendedTrustManager {
  private final Identity identity;
  private final String network;
  private final Refusals refusals;
  private volatile Trust trust;

  /**
   * Who stood between us and an authority, the last few: whoever was vouched for over one of them
   * is still a member when our own certificate comes over another.
   */
  private final Set<X509Certificate> between = new LinkedHashSet<>();

  private static final int MOST_BETWEEN = 16;

  /** Members whose path is remembered; of more it is looked for again. */
  private static final int MOST_LED = 10_000;

  /**
   * Paths to our authorities, for as long as these papers are the ones in force.
   *
   * @param led whom such a path was found for, as it need not be looked for at every call
   */
  private record Trust(Papers papers, X509ExtendedTrustManager paths, Set<X509Certificate> led) {}

  /** What is wrong with a certificate. */
  private record Flaw(String kind, String words) {}

  Gatekeeper(Identity identity, Refusals refusals) {
    this.identity = identity;
    this.network = identity.member().network();
    this.refusals = refusals;
    this.trust = trusting(identity.papers());
  }

  /** Checks what is passed on of members: only what one of ours says counts. */
  static Predicate<Statement> members(Identity identity) {
    Gatekeeper keeper = new Gatekeeper(identity, new Refusals(line -> {}));
    return each -> keeper.vouchesFor(each.certificate());
  }

  private Trust trusting(Papers papers) {
    remember(papers.chain().subList(1, papers.chain().size()));
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < papers.authorities().size(); i++) {
        store.setCertificateEntry("authority-" + i, papers.authorities().get(i));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager each : factory.getTrustManagers()) {
        if (each instanceof X509ExtendedTrustManager usual) {
          return new Trust(papers, usual, ConcurrentHashMap.newKeySet());
        }
      }
      throw new IllegalStateException("the platform checks no certificates");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a store of certificates that were read", e);
    }
  }

  private void remember(List<X509Certificate> chain) {
    synchronized (between) {
      between.removeAll(chain);
      between.addAll(chain);
      while (between.size() > MOST_BETWEEN) {
        between.remove(between.iterator().next());
      }
    }
  }

  private Trust trust() {
    Trust known = trust;
    Papers papers = identity.papers();
    if (!known.papers().equals(papers)) {
      known = trusting(papers);
      trust = known;
    }
    return known;
  }

  private interface Check {
    void run(X509ExtendedTrustManager paths) throws CertificateException;
  }

  private void check(String side, X509Certificate[] chain, Check usual)
      throws CertificateException {
    Trust now = trust();
    Optional<Flaw> flaw;
    try {
      usual.run(now.paths());
      flaw = flaw(now.papers(), chain[0]);
    } catch (CertificateException refused) {
      if (chain.length == 0) {
        throw refused;
      }
      flaw = Optional.of(flaw(now.papers(), chain, refused));
    }
    if (flaw.isPresent()) {
      refuse(side, flaw.get());
      throw new CertificateException(side + " " + flaw.get().words());
    }
  }

  private void refuse(String side, Flaw flaw) {
    refusals.add(flaw.kind(), side + " " + flaw.words());
  }

  /** Why no path led from the certificate to us, in words of our own where there are some. */
  private Flaw flaw(Papers papers, X509Certificate[] chain, CertificateException refused) {
    String who = chain[0].getSubjectX500Principal().getName();
    if (!leadsToUs(papers, chain)) {
      return new Flaw(
          "foreign-authority",
          "%s is vouched for by %s, not by our %s"
              .formatted(
                  who,
                  chain[0].getIssuerX500Principal().getName(),
                  papers.authorities().getFirst().getSubjectX500Principal().getName()));
    }
    // TLS may have looked for a name of our network in vain, which is the same in its words.
    return flaw(papers, chain[0])
        .orElseGet(() -> new Flaw("bad-certificate", who + ": " + refused.getMessage()));
  }

  private static boolean leadsToUs(Papers papers, X509Certificate[] chain) {
    for (X509Certificate each : chain) {
      for (X509Certificate authority : papers.authorities()) {
        if (each.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is wrong with a certificate that an authority of ours has signed. */
  private Optional<Flaw> flaw(Papers papers, X509Certificate certificate) {
    Optional<Member> stated = Member.of(certificate);
    String who =
        stated.map(Member::toString).orElse(certificate.getSubjectX500Principal().getName());
    Validity validity = Validity.of(certificate);
    Instant now = Instant.now();
    if (validity.isOver(now)) {
      return flaw(
          "expired-certificate", who + " has a certificate that expired at " + validity.until());
    }
    if (validity.isYetToCome(now)) {
      return flaw(
          "early-certificate", who + " has a certificate that is valid from " + validity.from());
    }
    Optional<Instant> revoked = papers.revocations().since(certificate);
    if (revoked.isPresent()) {
      return flaw(
          "revoked-certificate", who + " has a certificate that was revoked at " + revoked.get());
    }
    if (stated.filter(each -> each.network().equals(network)).isEmpty()) {
      return flaw("wrong-network", "%s is not of network %s".formatted(who, network));
    }
    if (!papers.allows(stated.get().peer())) {
      return flaw("not-allowed", who + " is not on the list of those allowed");
    }
    return Optional.empty();
  }

  private static Optional<Flaw> flaw(String kind, String words) {
    return Optional.of(new Flaw(kind, words));
  }

  /**
   * Whether a caller whom a handshake let in with these certificates may still call: they end, are
   * revoked and lose their authority while connections last, and a resumed one shows none.
   */
  boolean admits(List<X509Certificate> chain) {
    Trust now = trust();
    Optional<Flaw> flaw = flaw(now.papers(), chain.getFirst());
    if (flaw.isEmpty() && !now.led().contains(chain.getFirst())) {
      try {
        now.paths().checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
        if (now.led().size() < MOST_LED) {
          now.led().add(chain.getFirst());
        }
      } catch (CertificateException refused) {
        flaw = Optional.of(flaw(now.papers(), chain.toArray(X509Certificate[]::new), refused));
      }
    }
    flaw.ifPresent(each -> refuse("client", each));
    return flaw.isEmpty();
  }

  /** Whether our authority vouches for a member of our network that somebody speaks of. */
  boolean vouchesFor(X509Certificate certificate) {
    Trust now = trust();
    List<X509Certificate> path = new ArrayList<>(List.of(certificate));
    // What stands between us and the authority mostly stands between it and others, too.
    synchronized (between) {
      between.stream()
          .filter(each -> now.papers().revocations().since(each).isEmpty())
          .forEach(path::add);
    }
    try {
      now.paths().checkClientTrusted(path.toArray(X509Certificate[]::new), "UNKNOWN");
      return flaw(now.papers(), certificate).isEmpty();
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
