package io.kindred.simulator;

import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.WireOutput;
import java.security.MessageDigest;

/**
 * The hash of everything that happened: each event's canonical bytes are chained onto the hash so
 * far, so that a checkpoint can carry it as 32 bytes.
 */
final class Trace {
  private final MessageDigest sha = Digest.sha256();
  private byte[] head;
  private long events;

  Trace(Digest head, long events) {
    this.head = head.bytes();
    this.events = events;
  }

  void add(WireOutput event) {
    sha.update(head);
    event.updateDigest(sha);
    head = sha.digest();
    events++;
  }

  Digest head() {
    return Digest.ofHash(head);
  }

  long events() {
    return events;
  }
}
