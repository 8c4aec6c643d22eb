package io.kindred.node.transport.outbound;

import io.kindred.core.peer.PeerId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, one to each member. A connection is created under the lock: otherwise a
 * second one that is created at the same time, or one that is created after close, would never be
 * closed.
 */
final class ConnectionPool implements AutoCloseable {
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final BiFunction<PeerId, InetSocketAddress, Connection> factory;
  private final SortedMap<PeerId, Connection> connections = new TreeMap<>();
  private boolean closed;

  ConnectionPool(BiFunction<PeerId, InetSocketAddress, Connection> factory) {
    this.factory = factory;
  }

  /**
   * Returns the connection to a member, or null after close. A changed address replaces the
   * connection; calls on the old one fail as interrupted.
   */
  synchronized @Nullable Connection connectionTo(PeerId peer, InetSocketAddress address) {
    if (closed) {
      return null;
    }
    Connection known = connections.get(peer);
    if (known != null && known.connectsTo(address)) {
      return known;
    }
    Connection made = factory.apply(peer, address);
    connections.put(peer, made);
    if (known != null) {
      known.close();
    }
    return made;
  }

  synchronized List<Connection> all() {
    return List.copyOf(connections.values());
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    all().forEach(Connection::close);
    // A channel that shuts down still submits work, and gRPC panics if its executor has ended by
    // then.
    long until = System.nanoTime() + CLOSE_TIMEOUT_NANOS;
    try {
      for (Connection connection : all()) {
        connection.awaitTermination(until - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
