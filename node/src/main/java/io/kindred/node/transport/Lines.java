package io.kindred.node.transport;

import io.kindred.core.PeerId;
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
final class Lines implements AutoCloseable {
  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final BiFunction<PeerId, InetSocketAddress, Line> making;
  private final SortedMap<PeerId, Line> open = new TreeMap<>();
  private boolean closed;

  Lines(BiFunction<PeerId, InetSocketAddress, Line> making) {
    this.making = making;
  }

  /** Who moved gets another line; whoever waits in the old one is told that it broke. */
  synchronized @Nullable Line to(PeerId peer, InetSocketAddress address) {
    if (closed) {
      return null;
    }
    Line known = open.get(peer);
    if (known != null && known.leadsTo(address)) {
      return known;
    }
    Line made = making.apply(peer, address);
    open.put(peer, made);
    if (known != null) {
      known.close();
    }
    return made;
  }

  synchronized List<Line> all() {
    return List.copyOf(open.values());
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    all().forEach(Line::close);
    // A line that ends has something to run still, and gRPC panics if nobody runs it.
    long until = System.nanoTime() + CLOSING_NANOS;
    try {
      for (Line line : all()) {
        line.awaitEnd(until - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
