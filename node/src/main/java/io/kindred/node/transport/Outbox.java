package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ClientCalls;
import io.kindred.core.Component;
import io.kindred.core.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.Wire;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;

/**
 * Sends messages to neighbours. A connection that is not there yet is waited for until the
 * message's time is over: nodes do not start at the same moment.
 */
public final class Outbox implements AutoCloseable {
  private final Member self;
  private final long deadlineMillis;
  private final SortedMap<PeerId, Line> lines = new TreeMap<>();
  private final AtomicLong framedBytes = new AtomicLong();

  public Outbox(
      Identity identity,
      SortedMap<PeerId, InetSocketAddress> neighbours,
      long deadlineMillis,
      Refusals refusals,
      Executor executor,
      ScheduledExecutorService timer) {
    this.self = identity.member();
    this.deadlineMillis = deadlineMillis;
    SslContext tls;
    try {
      tls = Tls.client(identity, new Gatekeeper(self.network(), identity.authority(), refusals));
    } catch (SSLException e) {
      throw new IllegalStateException("TLS with a P-256 certificate", e);
    }
    neighbours.forEach(
        (peer, address) ->
            lines.put(
                peer, new Line(new Member(self.network(), peer), address, tls, executor, timer)));
  }

  /** Sends, and tells once how it ended: with nothing, or with what went wrong. */
  public void send(
      PeerId to, Component component, Wire.Encoded encoded, Consumer<Optional<String>> ended) {
    Line line = lines.get(to);
    if (line == null) {
      ended.accept(Optional.of("no address is known of " + to));
      return;
    }
    if (!line.enter()) {
      ended.accept(Optional.of("too many messages wait for " + to));
      return;
    }
    byte[] header = Header.of(self, component, encoded).encode();
    framedBytes.addAndGet(header.length + encoded.modelBytes());
    ClientCall<byte[], byte[]> call =
        line.channel()
            .newCall(
                PostalService.DELIVER,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS));
    ClientCalls.asyncClientStreamingCall(
        call,
        new Upload(
            header,
            encoded.weights(),
            failure -> {
              line.leave();
              ended.accept(failure);
            }));
  }

  /** Bytes of all frames so far, headers included; what TLS and HTTP/2 add is not. */
  public long framedBytes() {
    return framedBytes.get();
  }

  @Override
  public void close() {
    lines.values().forEach(Line::close);
  }
}
