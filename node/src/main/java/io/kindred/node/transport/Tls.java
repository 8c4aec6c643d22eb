package io.kindred.node.transport;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.kindred.node.identity.Identity;
import javax.net.ssl.SSLException;

/** Both ends of a connection: TLS 1.3 with a certificate on each side, no other way in. */
final class Tls {
  private static final String VERSION = "TLSv1.3";

  private Tls() {}

  static SslContext server(Identity identity, Gatekeeper gatekeeper) throws SSLException {
    return GrpcSslContexts.configure(
            SslContextBuilder.forServer(identity.key(), identity.certificate()), SslProvider.JDK)
        .protocols(VERSION)
        .clientAuth(ClientAuth.REQUIRE)
        .trustManager(gatekeeper)
        .build();
  }

  static SslContext client(Identity identity, Gatekeeper gatekeeper) throws SSLException {
    return GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
        .protocols(VERSION)
        .keyManager(identity.key(), identity.certificate())
        .trustManager(gatekeeper)
        .build();
  }
}
