package io.kindred.simulator.state;

/**
 * The order of events: time, then receiver, then sender, then the sender's own sequence number.
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
