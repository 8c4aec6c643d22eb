package io.kindred.simulator.state;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;

/**
 * A message in transit, with its true size.
 *
 * @param number the sender's own count, so that every message has its own random stream
 * @param controlBytes bytes of the message itself
 * @param modelBytes bytes of the weights it names
 * @param modelCount how many weight vectors it names
 */
public record Transfer(
    long number,
    int from,
    int to,
    Component component,
    Message message,
    long controlBytes,
    long modelBytes,
    int modelCount,
    long sentTick) {
  /** Bytes over the link. */
  long bytes() {
    return controlBytes + modelBytes;
  }
}
