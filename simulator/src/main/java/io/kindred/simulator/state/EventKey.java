package io.kindred.simulator.state;

/**
 * The order of events: time, then who receives, then who caused it, then that one's own count.
 * Never a tie.
 */
public record EventKey(long tick, long receiver, long sender, long sequence)
    implements Comparable<EventKey> {
  @Override
  public int compareTo(EventKey other) {
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
