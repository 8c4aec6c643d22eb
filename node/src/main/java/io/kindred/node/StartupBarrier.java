package io.kindred.node;

import io.kindred.core.peer.PeerId;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.outbound.Outbox;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for neighbours before a first round: protocols that start on all peers together, such as
 * the overlay, form better structures when all peers are up. A restored node does not wait, because
 * its network has continued meanwhile.
 */
final class StartupBarrier {
  private static final long POLL_MILLIS = 10;
  private static final int POLLS_BETWEEN_RETRIES = 100;

  private final Outbox outbox;
  private final SortedSet<PeerId> missing;
  private final long timeoutMillis;

  StartupBarrier(Outbox outbox, Collection<PeerId> neighbours, long timeoutMillis) {
    this.outbox = outbox;
    this.missing = new ConcurrentSkipListSet<>(neighbours);
    this.timeoutMillis = timeoutMillis;
  }

  /** Waits until all neighbours have answered, the timeout is over, or the node stops. */
  void await(BooleanSupplier stopping, NodeLog log) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (int polls = 0; !missing.isEmpty() && !stopping.getAsBoolean(); polls++) {
      if (System.nanoTime() - until >= 0) {
        log.warn("gathering", "starting without {}, which did not answer in time", missing);
        return;
      }
      if (polls % POLLS_BETWEEN_RETRIES == 0) {
        for (PeerId each : List.copyOf(missing)) {
          // A neighbour behind a relay counts as reached once its signed address has been passed
          // on.
          if (outbox.isRelayed(each)) {
            missing.remove(each);
          } else {
            outbox.exchangeAddresses(each, () -> missing.remove(each));
          }
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
