package io.kindred.simulator;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A heap of entries in their order, with four children for each node. Ticks lie side by side in an
 * array, so that among hundreds of thousands of entries most comparisons touch no entry.
 */
final class EntryHeap {
  private static final int CHILDREN = 4;

  private long[] ticks = new long[64];
  private @Nullable QueueEntry[] entries = new QueueEntry[64];
  private int size;

  void add(QueueEntry entry) {
    if (size == entries.length) {
      ticks = Arrays.copyOf(ticks, 2 * size);
      entries = Arrays.copyOf(entries, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / CHILDREN;
      if (!isBefore(entry, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(entry, at);
  }

  /** Removes the first entry; null if there is none. */
  @Nullable QueueEntry poll() {
    if (size == 0) {
      return null;
    }
    QueueEntry first = entry(0);
    QueueEntry last = entry(--size);
    entries[size] = null;
    if (size > 0) {
      sink(last);
    }
    return first;
  }

  /** Puts an entry where it belongs on the way down from the root, whose place is free. */
  private void sink(QueueEntry entry) {
    int at = 0;
    while (true) {
      int child = at * CHILDREN + 1;
      if (child >= size) {
        break;
      }
      int end = Math.min(child + CHILDREN, size);
      int least = child;
      for (int i = child + 1; i < end; i++) {
        if (ticks[i] < ticks[least]
            || (ticks[i] == ticks[least] && entry(i).compareTo(entry(least)) < 0)) {
          least = i;
        }
      }
      if (isBefore(entry, least)) {
        break;
      }
      move(least, at);
      at = least;
    }
    put(entry, at);
  }

  private boolean isBefore(QueueEntry entry, int other) {
    long tick = entry.key().tick();
    return tick < ticks[other] || (tick == ticks[other] && entry.compareTo(entry(other)) < 0);
  }

  private QueueEntry entry(int at) {
    QueueEntry entry = entries[at];
    if (entry == null) {
      throw new IllegalStateException("no entry at " + at + " of " + size);
    }
    return entry;
  }

  private void move(int from, int to) {
    ticks[to] = ticks[from];
    entries[to] = entries[from];
  }

  private void put(QueueEntry entry, int at) {
    ticks[at] = entry.key().tick();
    entries[at] = entry;
  }

  /** Calls for every entry, in no order. */
  void forEach(Consumer<QueueEntry> action) {
    for (int i = 0; i < size; i++) {
      action.accept(entry(i));
    }
  }
}
