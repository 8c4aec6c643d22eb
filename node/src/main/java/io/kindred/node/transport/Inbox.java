package io.kindred.node.transport;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.files.OperatorException;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The door: listens with TLS only and hands over messages once they are complete. */
public final class Inbox implements AutoCloseable {
  private static final Context.Key<Member> CALLER = Context.key("caller");
  private static final int MOST_CALLS_PER_CONNECTION = 16;
  private static final int LEAST_SECONDS_BETWEEN_PINGS = 5;

  private final Wire wire;
  private final Layouts layouts;
  private final long mostBytes;
  private final Arrivals arrivals;
  private final AddressBook book;
  private final Refusals refusals;
  private final Gatekeeper gatekeeper;
  private final Server server;
  private final int port;

  /** Opens the door; port 0 takes any that is free. */
  public Inbox(
      InetSocketAddress address,
      Identity identity,
      Wire wire,
      Layouts layouts,
      long mostBytes,
      Arrivals arrivals,
      AddressBook book,
      Refusals refusals,
      Executor executor) {
    this.wire = wire;
    this.layouts = layouts;
    this.mostBytes = mostBytes;
    this.arrivals = arrivals;
    this.book = book;
    this.refusals = refusals;
    gatekeeper = new Gatekeeper(identity, refusals);
    try {
      server =
          NettyServerBuilder.forAddress(address)
              .protocolNegotiator(new Handshakes(Tls.server(identity, gatekeeper), refusals))
              .addService(service())
              .executor(executor)
              .maxInboundMessageSize(PostalService.MOST_FRAME_BYTES)
              .maxConcurrentCallsPerConnection(MOST_CALLS_PER_CONNECTION)
              .permitKeepAliveTime(LEAST_SECONDS_BETWEEN_PINGS, TimeUnit.SECONDS)
              .build()
              .start();
      port = server.getPort();
    } catch (IOException refused) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "cannot listen at "
              + address
              + " ("
              + refused.getMessage()
              + "); stop whoever does, or choose another 'listen'");
    }
  }

  private ServerServiceDefinition service() {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(PostalService.NAME)
            .addMethod(
                PostalService.DELIVER,
                ServerCalls.asyncClientStreamingCall(
                    answers -> new Reception(this, CALLER.get(), answers)))
            .addMethod(
                PostalService.ACQUAINT,
                ServerCalls.asyncUnaryCall((question, answers) -> acquaint(question, answers)))
            .build(),
        new Introduction());
  }

  private void acquaint(byte[] question, StreamObserver<byte[]> answers) {
    try {
      answers.onNext(book.answer(question));
      answers.onCompleted();
    } catch (MalformedException malformed) {
      refusals.add(
          "malformed-message", "addresses of " + CALLER.get() + ": " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** Puts who the certificate says is calling beside the call. */
  private final class Introduction implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Optional<X509Certificate> shown =
          certificateOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
      Optional<Member> caller = shown.filter(gatekeeper::admits).flatMap(Member::of);
      if (caller.isEmpty()) {
        if (shown.isEmpty()) {
          refusals.add("no-identity", "a call without a certificate");
        }
        call.close(Status.UNAUTHENTICATED.withDescription("who calls?"), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      Context context = Context.current().withValue(CALLER, caller.get());
      return Contexts.interceptCall(context, call, headers, next);
    }
  }

  private static Optional<X509Certificate> certificateOf(@Nullable SSLSession session) {
    if (session == null) {
      return Optional.empty();
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? Optional.of(certificate)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException anonymous) {
      return Optional.empty();
    }
  }

  Wire wire() {
    return wire;
  }

  Layouts layouts() {
    return layouts;
  }

  long mostBytes() {
    return mostBytes;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  Refusals refusals() {
    return refusals;
  }

  /** The port that it listens at, or listened at before it was closed. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
