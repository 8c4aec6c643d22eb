package io.kindred.simulator.state;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.record.Buildable;

/**
 * A message in transit, with its true size.
 *
 * @param number the sender's own count, so that every message has its own random stream
 * @param controlBytes bytes of the message itself
 * @param modelBytes bytes of the weights it names
 * @param modelCount how many weight vectors it names
 * @param attempts how often it is transmitted until it arrives or is given up
 */
@Buildable
public record Transfer(
    long number,
    int from,
    int to,
    Component component,
    Message message,
    long controlBytes,
    long modelBytes,
    int modelCount,
    long sentTick,
    int attempts) {
  /** Bytes of all attempts over the link. */
  long bytes() {
    return attempts * (controlBytes + modelBytes);
  }

  public Transfer withAttempts(int times) {
    return TransferBuilder.from(this).attempts(times).build();
  }
}
