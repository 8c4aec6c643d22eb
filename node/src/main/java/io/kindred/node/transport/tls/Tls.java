package io.kindred.node.transport.tls;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.kindred.node.identity.Identity;
import io.kindred.node.transport.Refusals;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS contexts for both ends of a connection: TLS 1.3 only, with a certificate on each side. */
public final class Tls {
  public static final String VERSION = "TLSv1.3";

  private Tls() {}

  public static SslContext serverContext(Identity identity, PeerTrustManager trustManager)
      throws SSLException {
    return GrpcSslContexts.configure(
            SslContextBuilder.forServer(new IdentityKeyManager(identity)), SslProvider.JDK)
        .protocols(VERSION)
        .clientAuth(ClientAuth.REQUIRE)
        .trustManager(trustManager)
        .build();
  }

  public static SslContext clientContext(Identity identity, PeerTrustManager trustManager)
      throws SSLException {
    return GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
        .protocols(VERSION)
        .keyManager(new IdentityKeyManager(identity))
        .trustManager(trustManager)
        .build();
  }

  /** A context for JDK sockets; refused peers are added to these refusals. */
  public static SSLContext jdkContext(Identity identity, Refusals refusals) {
    try {
      SSLContext context = SSLContext.getInstance(VERSION);
      context.init(
          new KeyManager[] {new IdentityKeyManager(identity)},
          new TrustManager[] {new PeerTrustManager(identity, refusals)},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has TLS 1.3", e);
    }
  }

  /** Whether the certificates that the peer presented in a handshake are still valid. */
  public static boolean isTrusted(Identity identity, Refusals refusals, SSLSession session) {
    List<X509Certificate> chain = peerCertificates(session);
    return !chain.isEmpty() && new PeerTrustManager(identity, refusals).admits(chain);
  }

  /** The certificates that the peer presented, its own first; empty if it presented none. */
  public static List<X509Certificate> peerCertificates(@Nullable SSLSession session) {
    List<X509Certificate> chain = new ArrayList<>();
    if (session == null) {
      return chain;
    }
    try {
      for (Certificate each : session.getPeerCertificates()) {
        if (each instanceof X509Certificate certificate) {
          chain.add(certificate);
        }
      }
    } catch (SSLPeerUnverifiedException anonymous) {
      chain.clear();
    }
    return chain;
  }

  /** Invalidates all sessions, so that none is resumed that was agreed with old credentials. */
  public static void invalidateSessions(SslContext context) {
    SSLSessionContext sessions = context.sessionContext();
    if (sessions == null) {
      return;
    }
    List<byte[]> ids = Collections.list(sessions.getIds());
    for (byte[] id : ids) {
      SSLSession session = sessions.getSession(id);
      if (session != null) {
        session.invalidate();
      }
    }
  }
}
