package io.kindred.node.transport.outbound;

import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.NodeRpc;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The connection to one member, which reconnects whenever it breaks. */
public final class Connection {
  /** Bound on calls in flight to one member; further ones fail at once. */
  private static final int MAX_IN_FLIGHT = 64;

  static final long FIRST_RETRY_MILLIS = 200;
  private static final long MAX_RETRY_MILLIS = 5_000;
  private static final int SECONDS_BETWEEN_PINGS = 10;

  private final InetSocketAddress address;
  private final ManagedChannel channel;
  private final ScheduledExecutorService timer;
  private final AtomicInteger inFlight = new AtomicInteger();
  private int failures;
  private boolean retryScheduled;

  Connection(
      Member other,
      InetSocketAddress address,
      SslContext tls,
      Executor executor,
      ScheduledExecutorService timer,
      ClientInterceptor interceptor) {
    this.timer = timer;
    this.address = address;
    channel =
        NettyChannelBuilder.forTarget(target(address))
            .sslContext(tls)
            // TLS then requires this name in the certificate, so that only this member can answer.
            .overrideAuthority(other.hostName())
            .executor(executor)
            .intercept(interceptor)
            .maxInboundMessageSize(NodeRpc.MAX_FRAME_BYTES)
            .keepAliveTime(SECONDS_BETWEEN_PINGS, TimeUnit.SECONDS)
            .build();
    watchState();
  }

  /**
   * The target has the host name, so that gRPC resolves it again when it moves, and the scheme, as
   * gRPC would take a host called dns or unix for a scheme.
   */
  private static String target(InetSocketAddress address) {
    try {
      URI where = new URI(null, null, address.getHostString(), address.getPort(), null, null, null);
      return new URI("dns", "", "/" + where.getAuthority(), null).toString();
    } catch (URISyntaxException none) {
      throw new IllegalArgumentException(address + " is not an address to connect to", none);
    }
  }

  private synchronized void watchState() {
    ConnectivityState state = channel.getState(false);
    switch (state) {
      case READY -> failures = 0;
      case TRANSIENT_FAILURE -> retryLater();
      case IDLE, CONNECTING -> {}
      case SHUTDOWN -> {
        return;
      }
    }
    channel.notifyWhenStateChanged(state, this::watchState);
  }

  /**
   * gRPC retries by itself, but after a while only every two minutes; a restarted member should be
   * reached sooner.
   */
  private synchronized void retryLater() {
    if (!retryScheduled) {
      retryScheduled = true;
      schedule(this::retry, backoffMillis(failures++));
    }
  }

  /** The channel remains in the state of failure while gRPC connects, so no change is reported. */
  private synchronized void retry() {
    retryScheduled = false;
    channel.resetConnectBackoff();
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      retryLater();
    }
  }

  /**
   * Exponential backoff up to a bound; half of it is random, so that nodes do not retry at the same
   * time.
   */
  static long backoffMillis(int failures) {
    long most = Math.min(MAX_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(failures, 20));
    return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }

  /** Runs work after a delay. */
  void schedule(Runnable work, long millis) {
    try {
      Future<?> _ = timer.schedule(work, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the connection is not needed.
    }
  }

  boolean connectsTo(InetSocketAddress other) {
    return address.getPort() == other.getPort()
        && address.getHostString().equals(other.getHostString());
  }

  public ManagedChannel channel() {
    return channel;
  }

  /** Whether one more call may be in flight; if so, it is counted. */
  boolean tryAcquireSlot() {
    if (inFlight.incrementAndGet() <= MAX_IN_FLIGHT) {
      return true;
    }
    inFlight.decrementAndGet();
    return false;
  }

  void releaseSlot() {
    inFlight.decrementAndGet();
  }

  void close() {
    channel.shutdownNow();
  }

  /** Waits, up to a timeout, until a closed connection has ended all its work. */
  void awaitTermination(long nanos) throws InterruptedException {
    channel.awaitTermination(nanos, TimeUnit.NANOSECONDS);
  }
}
