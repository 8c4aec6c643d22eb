package io.kindred.node.transport.inbound;

import io.kindred.core.peer.PeerId;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of the memory messages may take, all together and those of each member. Members are
 * many, and a header of a few bytes announces a whole model; who announces more than there is room
 * for is told to come back later.
 */
public final class MemoryBudget {
  /** Less is not counted, so that whoever sends a model can still say something beside it. */
  private static final long UNCOUNTED_BYTES = 1 << 16;

  private static final int SHARE_DIVISOR = 4;

  private final long totalBytes;
  private final SortedMap<PeerId, Long> reserved = new TreeMap<>();
  private long reservedBytes;

  MemoryBudget(long all) {
    this.totalBytes = all;
  }

  /** A quarter of what this process may have, and never less than two models need. */
  public static MemoryBudget ofMemory(long modelBytes) {
    return new MemoryBudget(
        Math.max(
            Runtime.getRuntime().maxMemory() / SHARE_DIVISOR, 2 * (modelBytes + UNCOUNTED_BYTES)));
  }

  /** The most that one message may take: half, so that nobody keeps out all others. */
  long maxMessageBytes() {
    return totalBytes / 2;
  }

  /** Whether a member may have so much more: one message, or several that are a quarter of all. */
  synchronized boolean isWithinShare(PeerId from, long bytes) {
    long own = reserved.getOrDefault(from, 0L);
    return own == 0 ? bytes <= maxMessageBytes() : own + bytes <= totalBytes / SHARE_DIVISOR;
  }

  /** Takes room if there is some. */
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

  /** Gives back as much as was taken at once. */
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
