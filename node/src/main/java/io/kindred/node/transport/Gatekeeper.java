package io.kindred.node.transport;

import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Statement;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/**
 * Lets in whom our authority vouches for as a member of our network, and tells whom it did not. It
 * stands in the TLS handshake, so that nobody else gets as far as a message.
 */
final class Gatekeeper extends X509ExtendedTrustManager {
  private final String network;
  private final X509ExtendedTrustManager paths;
  private final Refusals refusals;

  Gatekeeper(String network, X509Certificate authority, Refusals refusals) {
    this.network = network;
    this.paths = trusting(authority);
    this.refusals = refusals;
  }

  /** Checks what is passed on of members: only what one of ours says counts. */
  static Predicate<Statement> members(Identity identity) {
    Gatekeeper keeper =
        new Gatekeeper(identity.member().network(), identity.authority(), new Refusals(line -> {}));
    return each -> keeper.vouchesFor(each.certificate());
  }

  private static X509ExtendedTrustManager trusting(X509Certificate authority) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry("authority", authority);
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager each : factory.getTrustManagers()) {
        if (each instanceof X509ExtendedTrustManager usual) {
          return usual;
        }
      }
      throw new IllegalStateException("the platform checks no certificates");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a store of one certificate", e);
    }
  }

  private interface Check {
    void run() throws CertificateException;
  }

  private void check(String side, X509Certificate[] chain, Check usual)
      throws CertificateException {
    String who = chain.length == 0 ? "nobody" : chain[0].getSubjectX500Principal().getName();
    try {
      usual.run();
    } catch (CertificateException refused) {
      X500Principal issuer = chain[0].getIssuerX500Principal();
      if (!issuer.equals(issuer())) {
        refusals.add(
            "foreign-authority",
            "%s %s is vouched for by %s, not by our %s"
                .formatted(side, who, issuer.getName(), issuer().getName()));
      } else if (isStranger(chain[0])) {
        // TLS looked for a name of our network and did not find it, which is the same in its words.
        refusals.add("wrong-network", stranger(side, chain[0]));
      } else {
        refusals.add("bad-certificate", "%s %s: %s".formatted(side, who, refused.getMessage()));
      }
      throw refused;
    }
    if (isStranger(chain[0])) {
      refusals.add("wrong-network", stranger(side, chain[0]));
      throw new CertificateException(stranger(side, chain[0]));
    }
  }

  /** Whether our authority vouches for a member of our network that somebody speaks of. */
  boolean vouchesFor(X509Certificate certificate) {
    try {
      paths.checkClientTrusted(new X509Certificate[] {certificate}, "EC");
      return !isStranger(certificate);
    } catch (CertificateException refused) {
      return false;
    }
  }

  private boolean isStranger(X509Certificate certificate) {
    return Member.of(certificate).filter(each -> each.network().equals(network)).isEmpty();
  }

  private String stranger(String side, X509Certificate certificate) {
    String who =
        Member.of(certificate)
            .map(Member::toString)
            .orElse(certificate.getSubjectX500Principal().getName());
    return "%s %s is not of network %s".formatted(side, who, network);
  }

  private X500Principal issuer() {
    return paths.getAcceptedIssuers()[0].getSubjectX500Principal();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check("client", chain, () -> paths.checkClientTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check("server", chain, () -> paths.checkServerTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check("client", chain, () -> paths.checkClientTrusted(chain, type, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check("server", chain, () -> paths.checkServerTrusted(chain, type, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check("client", chain, () -> paths.checkClientTrusted(chain, type, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check("server", chain, () -> paths.checkServerTrusted(chain, type, engine));
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
