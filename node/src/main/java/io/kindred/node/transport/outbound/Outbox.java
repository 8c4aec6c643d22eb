package io.kindred.node.transport.outbound;

import io.grpc.CallOptions;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to other members. A connection that is not there yet is waited for until the
 * message's time is over: nodes do not start at the same moment. Nor do they know of each other at
 * once: for an address that nobody has passed on yet it is asked, and waited a while.
 */
public final class Outbox implements AutoCloseable {
  private static final long ADDRESS_WAIT_MILLIS = 5_000;
  private static final long POLL_MILLIS = 200;
  private static final int ANSWER_TIMEOUT_SECONDS = 5;

  /** Messages that wait for an address; more are failures at once. */
  private static final int MAX_AWAITING_ADDRESS = 1_024;

  private final Identity identity;
  private final Member self;
  private final AddressBook addressBook;
  private final long deadlineMillis;
  private final Packing packing;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final SslContext tls;
  private final ConnectionPool connections;
  private final AtomicLong framedBytes = new AtomicLong();
  private final AtomicInteger awaitingAddress = new AtomicInteger();
  private volatile boolean closed;

  public Outbox(
      Identity identity,
      AddressBook book,
      long deadlineMillis,
      Packing packing,
      Refusals refusals,
      Executor executor,
      ScheduledExecutorService timer) {
    this.identity = identity;
    this.self = identity.member();
    this.addressBook = book;
    this.deadlineMillis = deadlineMillis;
    this.packing = packing;
    this.executor = executor;
    this.timer = timer;
    try {
      tls = Tls.clientContext(identity, new PeerTrustManager(identity, refusals));
    } catch (SSLException e) {
      throw new IllegalStateException("TLS with a P-256 certificate", e);
    }
    connections =
        new ConnectionPool(
            (peer, address) ->
                new Connection(new Member(self.network(), peer), address, tls, executor, timer));
  }

  /** Whether messages to a member go to somebody else who hands them on. */
  public boolean isRelayed(PeerId to) {
    return addressBook.relayOf(to).isPresent();
  }

  /** The way to a member, or to whoever hands on its messages. */
  private @Nullable Connection connectionTo(PeerId to) {
    return directConnectionTo(addressBook.relayOf(to).orElse(to));
  }

  public @Nullable Connection directConnectionTo(PeerId to) {
    // An address that no line can be made of is as good as none.
    return addressBook
        .addressOf(to)
        .filter(address -> SignedAddress.isHost(address.getHostString()))
        .map(address -> connections.connectionTo(to, address))
        .orElse(null);
  }

  /** Sends, and tells once how it ended: with nothing, or with what went wrong. */
  public void send(
      PeerId to, Component component, Wire.Encoded encoded, Consumer<Optional<String>> ended) {
    send(to, component, encoded, ended, Math.min(deadlineMillis, ADDRESS_WAIT_MILLIS));
  }

  private void send(
      PeerId to,
      Component component,
      Wire.Encoded encoded,
      Consumer<Optional<String>> ended,
      long patience) {
    Connection connection = connectionTo(to);
    if (connection == null) {
      retryWithAddress(to, component, encoded, ended, patience);
      return;
    }
    if (!connection.tryAcquireSlot()) {
      ended.accept(Optional.of("too many messages wait for " + to));
      return;
    }
    new OutboundMessage(
            connection,
            addressBook.relayOf(to).map(relay -> new OutboundMessage.RelaySigning(identity, to)),
            Header.of(self, component, encoded, packing).encode(),
            packing,
            encoded.weights(),
            deadlineMillis,
            framedBytes::addAndGet,
            failure -> {
              connection.releaseSlot();
              ended.accept(failure);
            })
        .start();
  }

  /** Asks somebody else for the address and looks again a little later. */
  private void retryWithAddress(
      PeerId to,
      Component component,
      Wire.Encoded encoded,
      Consumer<Optional<String>> ended,
      long patience) {
    if (patience <= 0 || closed || !tryAwaitAddress()) {
      ended.accept(Optional.of("no address is known of " + to));
      return;
    }
    exchangeAddressesWithRandomMember();
    try {
      Future<?> _ =
          timer.schedule(
              () -> {
                awaitingAddress.decrementAndGet();
                executor.execute(() -> send(to, component, encoded, ended, patience - POLL_MILLIS));
              },
              POLL_MILLIS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The life that wanted to know ends.
      awaitingAddress.decrementAndGet();
    }
  }

  /** Whether one more message may wait for an address. */
  private boolean tryAwaitAddress() {
    if (awaitingAddress.incrementAndGet() <= MAX_AWAITING_ADDRESS) {
      return true;
    }
    awaitingAddress.decrementAndGet();
    return false;
  }

  /** Tells one of those whose address is known what this node knows, and learns what it knows. */
  public void exchangeAddressesWithRandomMember() {
    List<PeerId> known = addressBook.known();
    if (!known.isEmpty()) {
      exchangeAddresses(known.get(ThreadLocalRandom.current().nextInt(known.size())), () -> {});
    }
  }

  /** The same with a certain one; nothing comes of it when that one is not there. */
  public void exchangeAddresses(PeerId with, Runnable met) {
    Connection connection = directConnectionTo(with);
    if (connection == null || !connection.tryAcquireSlot()) {
      return;
    }
    ClientCalls.asyncUnaryCall(
        connection
            .channel()
            .newCall(
                NodeRpc.EXCHANGE_ADDRESSES,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)),
        addressBook.syncRequest(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {
            try {
              addressBook.applySyncReply(answer);
            } catch (MalformedException malformed) {
              // What a member tells of addresses is only ever a hint.
            }
          }

          @Override
          public void onError(Throwable failure) {
            connection.releaseSlot();
          }

          @Override
          public void onCompleted() {
            connection.releaseSlot();
            met.run();
          }
        });
  }

  /** How many nanoseconds an answer to so many bytes took; empty where none came in time. */
  public CompletableFuture<Optional<Long>> echo(PeerId with, int bytes, long millis) {
    CompletableFuture<Optional<Long>> took = new CompletableFuture<>();
    Connection connection = directConnectionTo(with);
    if (connection == null || !connection.tryAcquireSlot()) {
      took.complete(Optional.empty());
      return took;
    }
    long began = System.nanoTime();
    ClientCalls.asyncUnaryCall(
        connection
            .channel()
            .newCall(
                NodeRpc.ECHO,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)),
        new byte[bytes],
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {}

          @Override
          public void onError(Throwable failure) {
            connection.releaseSlot();
            took.complete(Optional.empty());
          }

          @Override
          public void onCompleted() {
            connection.releaseSlot();
            took.complete(Optional.of(System.nanoTime() - began));
          }
        });
    return took;
  }

  /**
   * Bytes of all frames so far, headers and repetitions included; what TLS and HTTP/2 add is not.
   */
  public long framedBytes() {
    return framedBytes.get();
  }

  /** Shows new papers: open calls end as they are, later ones go over new connections. */
  public void renewConnections() {
    Tls.invalidateSessions(tls);
    connections.all().forEach(connection -> connection.channel().enterIdle());
  }

  @Override
  public void close() {
    closed = true;
    connections.close();
  }
}
