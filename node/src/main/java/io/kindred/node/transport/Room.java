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
  private final long each;
  private final SortedMap<PeerId, Long> taken = new TreeMap<>();
  private long sum;

  Room(long all, long each) {
    this.all = all;
    this.each = each;
  }

  /** A quarter of what this process may have, and a quarter of that for one member. */
  public static Room ofMemory() {
    long all = Runtime.getRuntime().maxMemory() / SHARES;
    return new Room(all, all / SHARES);
  }

  /** Takes room if there is some. Whoever is alone has it all: a large model must get in, too. */
  public synchronized boolean take(PeerId from, long bytes) {
    if (bytes <= SMALL_BYTES) {
      return true;
    }
    long own = taken.getOrDefault(from, 0L);
    if ((own > 0 && own + bytes > each) || (sum > 0 && sum + bytes > all)) {
      return false;
    }
    taken.put(from, own + bytes);
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
