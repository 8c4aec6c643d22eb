package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.core.Component;
import io.kindred.core.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Statement;
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
  private static final long ADDRESS_MILLIS = 5_000;
  private static final long MILLIS_BETWEEN_LOOKS = 200;
  private static final int SECONDS_TO_ANSWER = 5;

  /** Messages that wait for an address; more are failures at once. */
  private static final int MOST_LOST = 1_024;

  private final Identity identity;
  private final Member self;
  private final AddressBook book;
  private final long deadlineMillis;
  private final Packing packing;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final SslContext tls;
  private final Lines lines;
  private final AtomicLong framedBytes = new AtomicLong();
  private final AtomicInteger lost = new AtomicInteger();
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
    this.book = book;
    this.deadlineMillis = deadlineMillis;
    this.packing = packing;
    this.executor = executor;
    this.timer = timer;
    try {
      tls = Tls.client(identity, new Gatekeeper(identity, refusals));
    } catch (SSLException e) {
      throw new IllegalStateException("TLS with a P-256 certificate", e);
    }
    lines =
        new Lines(
            (peer, address) ->
                new Line(new Member(self.network(), peer), address, tls, executor, timer));
  }

  /** Whether messages to a member go to somebody else who hands them on. */
  public boolean relays(PeerId to) {
    return book.relayOf(to).isPresent();
  }

  /** The way to a member, or to whoever hands on its messages. */
  private @Nullable Line line(PeerId to) {
    return direct(book.relayOf(to).orElse(to));
  }

  @Nullable Line direct(PeerId to) {
    // An address that no line can be made of is as good as none.
    return book.find(to)
        .filter(address -> Statement.isHost(address.getHostString()))
        .map(address -> lines.to(to, address))
        .orElse(null);
  }

  /** Sends, and tells once how it ended: with nothing, or with what went wrong. */
  public void send(
      PeerId to, Component component, Wire.Encoded encoded, Consumer<Optional<String>> ended) {
    send(to, component, encoded, ended, Math.min(deadlineMillis, ADDRESS_MILLIS));
  }

  private void send(
      PeerId to,
      Component component,
      Wire.Encoded encoded,
      Consumer<Optional<String>> ended,
      long patience) {
    Line line = line(to);
    if (line == null) {
      seek(to, component, encoded, ended, patience);
      return;
    }
    if (!line.enter()) {
      ended.accept(Optional.of("too many messages wait for " + to));
      return;
    }
    new Delivery(
            line,
            book.relayOf(to).map(relay -> new Delivery.Sealing(identity, to)),
            Header.of(self, component, encoded, packing).encode(),
            packing,
            encoded.weights(),
            deadlineMillis,
            framedBytes::addAndGet,
            failure -> {
              line.leave();
              ended.accept(failure);
            })
        .begin();
  }

  /** Asks somebody else for the address and looks again a little later. */
  private void seek(
      PeerId to,
      Component component,
      Wire.Encoded encoded,
      Consumer<Optional<String>> ended,
      long patience) {
    if (patience <= 0 || closed || !isOneOfTheLost()) {
      ended.accept(Optional.of("no address is known of " + to));
      return;
    }
    acquaintAnybody();
    try {
      Future<?> _ =
          timer.schedule(
              () -> {
                lost.decrementAndGet();
                executor.execute(
                    () -> send(to, component, encoded, ended, patience - MILLIS_BETWEEN_LOOKS));
              },
              MILLIS_BETWEEN_LOOKS,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The life that wanted to know ends.
      lost.decrementAndGet();
    }
  }

  /** Whether one more message may wait for an address. */
  private boolean isOneOfTheLost() {
    if (lost.incrementAndGet() <= MOST_LOST) {
      return true;
    }
    lost.decrementAndGet();
    return false;
  }

  /** Tells one of those whose address is known what this node knows, and learns what it knows. */
  public void acquaintAnybody() {
    List<PeerId> known = book.known();
    if (!known.isEmpty()) {
      acquaint(known.get(ThreadLocalRandom.current().nextInt(known.size())), () -> {});
    }
  }

  /** The same with a certain one; nothing comes of it when that one is not there. */
  public void acquaint(PeerId with, Runnable met) {
    Line line = direct(with);
    if (line == null || !line.enter()) {
      return;
    }
    ClientCalls.asyncUnaryCall(
        line.channel()
            .newCall(
                PostalService.ACQUAINT,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(SECONDS_TO_ANSWER, TimeUnit.SECONDS)),
        book.question(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {
            try {
              book.hear(answer);
            } catch (MalformedException malformed) {
              // What a member tells of addresses is only ever a hint.
            }
          }

          @Override
          public void onError(Throwable failure) {
            line.leave();
          }

          @Override
          public void onCompleted() {
            line.leave();
            met.run();
          }
        });
  }

  /** How many nanoseconds an answer to so many bytes took; empty where none came in time. */
  public CompletableFuture<Optional<Long>> echo(PeerId with, int bytes, long millis) {
    CompletableFuture<Optional<Long>> took = new CompletableFuture<>();
    Line line = direct(with);
    if (line == null || !line.enter()) {
      took.complete(Optional.empty());
      return took;
    }
    long began = System.nanoTime();
    ClientCalls.asyncUnaryCall(
        line.channel()
            .newCall(
                PostalService.ECHO,
                CallOptions.DEFAULT
                    .withWaitForReady()
                    .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)),
        new byte[bytes],
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {}

          @Override
          public void onError(Throwable failure) {
            line.leave();
            took.complete(Optional.empty());
          }

          @Override
          public void onCompleted() {
            line.leave();
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
  public void renew() {
    Tls.forget(tls);
    lines.all().forEach(line -> line.channel().enterIdle());
  }

  @Override
  public void close() {
    closed = true;
    lines.close();
  }
}
