package io.kindred.node;

import io.kindred.core.PeerId;
import io.kindred.node.log.Log;
import io.kindred.node.transport.Outbox;
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
final class Gathering {
  private static final long MILLIS_BETWEEN_LOOKS = 10;
  private static final int LOOKS_BEFORE_ASKING_AGAIN = 100;

  private final Outbox outbox;
  private final SortedSet<PeerId> missing;
  private final long millis;

  Gathering(Outbox outbox, Collection<PeerId> neighbours, long millis) {
    this.outbox = outbox;
    this.missing = new ConcurrentSkipListSet<>(neighbours);
    this.millis = millis;
  }

  /** Until all have answered, the time is over, or nobody wants to know any more. */
  void await(BooleanSupplier stopping, Log log) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (int looks = 0; !missing.isEmpty() && !stopping.getAsBoolean(); looks++) {
      if (System.nanoTime() - until >= 0) {
        log.warn("gathering", "begins without %s, not reached so far".formatted(missing));
        return;
      }
      if (looks % LOOKS_BEFORE_ASKING_AGAIN == 0) {
        for (PeerId each : List.copyOf(missing)) {
          // One that nobody can connect to is there when others have heard of it.
          if (outbox.relays(each)) {
            missing.remove(each);
          } else {
            outbox.acquaint(each, () -> missing.remove(each));
          }
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_LOOKS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
