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
 * The lines that are open, one to each member. Whoever needs one holds the lock while it is made:
 * of two that were made at once, or of one made after the end, nobody would close the channel.
 */
final class ConnectionPool implements AutoCloseable {
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final BiFunction<PeerId, InetSocketAddress, Connection> factory;
  private final SortedMap<PeerId, Connection> connections = new TreeMap<>();
  private boolean closed;

  ConnectionPool(BiFunction<PeerId, InetSocketAddress, Connection> making) {
    this.factory = making;
  }

  /** Who moved gets another line; whoever waits in the old one is told that it broke. */
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
    // A line that ends has something to run still, and gRPC panics if nobody runs it.
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
