package io.kindred.node.transport.inbound;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;

/** Takes messages that are complete and checked. */
@FunctionalInterface
public interface MessageReceiver {
  /**
   * What came, and how much of it: bytes of the message, bytes and number of its vectors on their
   * way, and the bytes that all of it takes here.
   */
  record ReceivedMessage(
      PeerId from,
      Component component,
      Message message,
      long controlBytes,
      long modelBytes,
      int models,
      long memoryBytes) {}

  /** Whether there was room; a sender is told when there was none. */
  boolean offer(ReceivedMessage received);
}
