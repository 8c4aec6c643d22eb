package io.kindred.node.transport;

import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Papers;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows the papers that an identity has at the moment of a handshake. */
final class IdentityKeys extends X509ExtendedKeyManager {
  private final Identity identity;
  // A handshake that has begun ends with the papers that it began with.
  private volatile Papers current;
  private volatile Papers previous;

  IdentityKeys(Identity identity) {
    this.identity = identity;
    this.current = identity.papers();
    this.previous = current;
  }

  private synchronized String choose() {
    Papers now = identity.papers();
    if (!now.equals(current)) {
      previous = current;
      current = now;
    }
    return nameOf(current);
  }

  private static String nameOf(Papers papers) {
    return papers.certificate().getSerialNumber().toString(16);
  }

  private Papers named(String name) {
    Papers now = current;
    return nameOf(now).equals(name) ? now : previous;
  }

  private @Nullable String choose(List<String> keyTypes) {
    return keyTypes.contains(identity.key().getAlgorithm()) ? choose() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(List.of(keyType));
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(List.of(keyTypes));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(List.of(keyType));
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(List.of(keyTypes));
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {choose()};
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {choose()};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return named(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return named(alias).key();
  }
}
