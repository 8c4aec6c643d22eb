package io.kindred.node.transport.tls;

import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.grpc.netty.shaded.io.netty.util.AsciiString;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The server's TLS of gRPC, which also logs failed handshakes; gRPC itself drops them silently.
 * {@link PeerTrustManager} has logged refused certificates by then; this class logs clients that
 * present no certificate or do not speak TLS.
 */
public final class LoggingTlsNegotiator implements InternalProtocolNegotiator.ProtocolNegotiator {
  private final InternalProtocolNegotiator.ProtocolNegotiator delegate;
  private final Refusals refusals;

  public LoggingTlsNegotiator(SslContext tls, Refusals refusals) {
    this.delegate = InternalProtocolNegotiators.serverTls(tls);
    this.refusals = refusals;
  }

  @Override
  public AsciiString scheme() {
    return delegate.scheme();
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
    return new FailureHandler(delegate.newHandler(connection));
  }

  @Override
  public void close() {
    delegate.close();
  }

  /** Follows the handshake in the pipeline, where its failure is propagated to. */
  private final class FailureHandler extends ChannelInboundHandlerAdapter {
    private final ChannelHandler handshake;

    FailureHandler(ChannelHandler handshake) {
      this.handshake = handshake;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      context.pipeline().addBefore(context.name(), null, handshake);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      logFailure(hostOf(context.channel().remoteAddress()), failure);
      context.fireExceptionCaught(failure);
    }
  }

  /** The host without the port: a client that retries comes from another port each time. */
  private static String hostOf(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress()
        : String.valueOf(address);
  }

  private void logFailure(String host, Throwable failure) {
    String message = "";
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return;
      }
      if (each instanceof NotSslRecordException) {
        refusals.add(RefusalKind.NO_TLS, "%s does not speak TLS".formatted(host));
        return;
      }
      if (each instanceof SslHandshakeTimeoutException) {
        refusals.add(
            RefusalKind.SLOW_HANDSHAKE,
            "%s did not complete its handshake in time".formatted(host));
        return;
      }
      if (each instanceof SSLException) {
        message = String.valueOf(each.getMessage());
      } else if (!message.isEmpty()) {
        // TLS calls some failures an unexpected exception; the cause says what happened.
        message += ": " + each;
      }
    }
    if (message.contains("Empty client certificate chain")) {
      refusals.add(RefusalKind.NO_IDENTITY, "%s presented no certificate".formatted(host));
    } else if (!message.isEmpty()) {
      refusals.add(
          RefusalKind.BROKEN_HANDSHAKE, "the handshake of %s failed: %s".formatted(host, message));
    }
  }
}
