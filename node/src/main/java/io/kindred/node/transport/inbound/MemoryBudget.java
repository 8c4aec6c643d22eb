package io.kindred.node.transport.inbound;

import io.kindred.core.peer.PeerId;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Bounds the memory of messages, in total and for each member. There are many members, and a header
 * of a few bytes announces a whole model; a sender that announces more than there is memory for has
 * to retry later.
 */
public final class MemoryBudget {
  /**
   * Smaller messages are not counted, so that a member that sends a model can still send control
   * messages.
   */
  private static final long UNCOUNTED_BYTES = 1 << 16;

  private static final int SHARE_DIVISOR = 4;

  private final long totalBytes;
  private final SortedMap<PeerId, Long> reserved = new TreeMap<>();
  private long reservedBytes;

  MemoryBudget(long totalBytes) {
    this.totalBytes = totalBytes;
  }

  /** A quarter of the maximum heap, and never less than two models need. */
  public static MemoryBudget ofMemory(long modelBytes) {
    return new MemoryBudget(
        Math.max(
            Runtime.getRuntime().maxMemory() / SHARE_DIVISOR, 2 * (modelBytes + UNCOUNTED_BYTES)));
  }

  /** Largest message: half of the budget, so that one member cannot take all of it. */
  long maxMessageBytes() {
    return totalBytes / 2;
  }

  /**
   * Whether a member may reserve so much more: a single message up to the largest, or several up to
   * a quarter of the budget.
   */
  synchronized boolean isWithinShare(PeerId from, long bytes) {
    long own = reserved.getOrDefault(from, 0L);
    return own == 0 ? bytes <= maxMessageBytes() : own + bytes <= totalBytes / SHARE_DIVISOR;
  }

  /** Reserves memory if the member's share and the total allow it. */
  public synchronized boolean tryReserve(PeerId from, long bytes) {
    if (bytes <= UNCOUNTED_BYTES) {
      return true;
    }
    if (!isWithinShare(from, bytes) || reservedBytes + bytes > totalBytes) {
      return false;
    }
    reserved.merge(from, bytes, Long::sum);
    reservedBytes += bytes;
    return true;
  }

  /** Releases one reservation, with the bytes that it was made with. */
  public synchronized void release(PeerId from, long bytes) {
    if (bytes > UNCOUNTED_BYTES) {
      reserved.computeIfPresent(from, (_, own) -> own == bytes ? null : own - bytes);
      reservedBytes -= bytes;
    }
  }

  synchronized long reserved() {
    return reservedBytes;
  }
}
