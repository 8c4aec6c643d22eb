package io.kindred.node;

import io.kindred.core.peer.PeerId;
import io.kindred.node.log.Log;
import io.kindred.node.transport.outbound.Outbox;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for neighbours before a first round: what is begun together, such as an overlay, comes out
 * better when all are there. A node that comes back to a network that went on waits for nobody.
 */
final class StartupBarrier {
  private static final long POLL_MILLIS = 10;
  private static final int POLLS_BETWEEN_RETRIES = 100;

  private final Outbox outbox;
  private final SortedSet<PeerId> missing;
  private final long timeoutMillis;

  StartupBarrier(Outbox outbox, Collection<PeerId> neighbours, long millis) {
    this.outbox = outbox;
    this.missing = new ConcurrentSkipListSet<>(neighbours);
    this.timeoutMillis = millis;
  }

  /** Until all have answered, the time is over, or nobody wants to know any more. */
  void await(BooleanSupplier stopping, Log log) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (int looks = 0; !missing.isEmpty() && !stopping.getAsBoolean(); looks++) {
      if (System.nanoTime() - until >= 0) {
        log.warn("gathering", "begins without %s, not reached so far".formatted(missing));
        return;
      }
      if (looks % POLLS_BETWEEN_RETRIES == 0) {
        for (PeerId each : List.copyOf(missing)) {
          // One that nobody can connect to is there when others have heard of it.
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
