package io.kindred.node.transport;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.PeerId;

/** Takes messages that are complete and checked. */
@FunctionalInterface
public interface Arrivals {
  /**
   * What came, and how much of it: bytes of the message, bytes and number of its vectors on their
   * way, and the bytes that all of it takes here.
   */
  record Arrival(
      PeerId from,
      Component component,
      Message message,
      long controlBytes,
      long modelBytes,
      int models,
      long heldBytes) {}

  /** Whether there was room; a sender is told when there was none. */
  boolean offer(Arrival arrival);
}
