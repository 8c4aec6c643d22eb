package io.kindred.node.transport.tls;

import io.kindred.node.identity.Credentials;
import io.kindred.node.identity.Identity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Presents the credentials that an identity has at the time of a handshake. */
final class IdentityKeyManager extends X509ExtendedKeyManager {
  private final Identity identity;
  // A handshake finishes with the credentials that it started with.
  private volatile Credentials current;
  private volatile Credentials previous;

  IdentityKeyManager(Identity identity) {
    this.identity = identity;
    this.current = identity.credentials();
    this.previous = current;
  }

  private synchronized String chooseAlias() {
    Credentials now = identity.credentials();
    if (!now.equals(current)) {
      previous = current;
      current = now;
    }
    return aliasOf(current);
  }

  private static String aliasOf(Credentials credentials) {
    return credentials.certificate().getSerialNumber().toString(16);
  }

  private Credentials credentialsFor(String alias) {
    Credentials now = current;
    return aliasOf(now).equals(alias) ? now : previous;
  }

  private @Nullable String chooseAlias(List<String> keyTypes) {
    return keyTypes.contains(identity.key().getAlgorithm()) ? chooseAlias() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseAlias(List.of(keyType));
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseAlias(List.of(keyTypes));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseAlias(List.of(keyType));
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseAlias(List.of(keyTypes));
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {chooseAlias()};
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {chooseAlias()};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return credentialsFor(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return credentialsFor(alias).key();
  }
}
