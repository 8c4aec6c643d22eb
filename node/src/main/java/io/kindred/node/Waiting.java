package io.kindred.node;

import io.kindred.node.transport.Arrivals;
import io.kindred.node.transport.Room;

/** Messages that wait to be stepped: so many at most, and so much of the memory. */
final class Waiting {
  private static final int MOST_MESSAGES = 1_024;

  private final Room room;
  private int messages;

  Waiting(Room room) {
    this.room = room;
  }

  /** Whether one more may wait. */
  synchronized boolean enter(Arrivals.Arrival arrival) {
    if (messages >= MOST_MESSAGES || !room.take(arrival.from(), arrival.heldBytes())) {
      return false;
    }
    messages++;
    return true;
  }

  synchronized void leave(Arrivals.Arrival arrival) {
    messages--;
    room.leave(arrival.from(), arrival.heldBytes());
  }
}
