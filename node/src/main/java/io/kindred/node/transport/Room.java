package io.kindred.node.transport;

import io.kindred.core.PeerId;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of the memory messages may take, all together and those of each member. Members are
 * many, and a header of a few bytes announces a whole model; who announces more than there is room
 * for is told to come back later.
 */
public final class Room {
  /** Less is not counted, so that whoever sends a model can still say something beside it. */
  private static final long SMALL_BYTES = 1 << 16;

  private static final int SHARES = 4;

  private final long all;
  private final SortedMap<PeerId, Long> taken = new TreeMap<>();
  private long sum;

  Room(long all) {
    this.all = all;
  }

  /** A quarter of what this process may have, and never less than two models need. */
  public static Room ofMemory(long modelBytes) {
    return new Room(
        Math.max(Runtime.getRuntime().maxMemory() / SHARES, 2 * (modelBytes + SMALL_BYTES)));
  }

  /** The most that one message may take: half, so that nobody keeps out all others. */
  long most() {
    return all / 2;
  }

  /** Whether a member may have so much more: one message, or several that are a quarter of all. */
  synchronized boolean isWithinShare(PeerId from, long bytes) {
    long own = taken.getOrDefault(from, 0L);
    return own == 0 ? bytes <= most() : own + bytes <= all / SHARES;
  }

  /** Takes room if there is some. */
  public synchronized boolean take(PeerId from, long bytes) {
    if (bytes <= SMALL_BYTES) {
      return true;
    }
    if (!isWithinShare(from, bytes) || sum + bytes > all) {
      return false;
    }
    taken.merge(from, bytes, Long::sum);
    sum += bytes;
    return true;
  }

  /** Gives back as much as was taken at once. */
  public synchronized void leave(PeerId from, long bytes) {
    if (bytes > SMALL_BYTES) {
      taken.computeIfPresent(from, (_, own) -> own == bytes ? null : own - bytes);
      sum -= bytes;
    }
  }

  synchronized long taken() {
    return sum;
  }
}
