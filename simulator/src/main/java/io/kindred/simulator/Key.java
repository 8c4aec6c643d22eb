package io.kindred.simulator;

/**
 * The order of events: time, then who receives, then who caused it, then that one's own count.
 * Never a tie.
 */
record Key(long tick, long receiver, long sender, long sequence) implements Comparable<Key> {
  @Override
  public int compareTo(Key other) {
    int byTick = Long.compare(tick, other.tick);
    if (byTick != 0) {
      return byTick;
    }
    int byReceiver = Long.compare(receiver, other.receiver);
    if (byReceiver != 0) {
      return byReceiver;
    }
    int bySender = Long.compare(sender, other.sender);
    return bySender != 0 ? bySender : Long.compare(sequence, other.sequence);
  }
}
