package io.kindred.simulator;

import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.runtime.SerialWorker;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The hash of everything that happened: each event's canonical bytes are chained onto the hash so
 * far, so that a checkpoint can carry it as 32 bytes. Events are collected in chunks, which a
 * thread of the trace hashes in their order while peers go on.
 */
final class Trace {
  private static final int CHUNK_BYTES = 1 << 16;

  /** Chunks that wait; events with signatures make chunks of some 300 kB. */
  private static final int MOST_WAITING = 64;

  /** Events in the order in which they happened, one after another in one buffer. */
  private static final class Chunk {
    private final WireOutput bytes = new WireOutput(weights -> {});
    private int[] ends = new int[64];
    private int count;

    private void endEvent() {
      if (count == ends.length) {
        int[] more = new int[2 * count];
        System.arraycopy(ends, 0, more, 0, count);
        ends = more;
      }
      ends[count++] = bytes.size();
    }

    private void clear() {
      bytes.clear();
      count = 0;
    }
  }

  private final SerialWorker worker = new SerialWorker(MOST_WAITING);
  private final Queue<Chunk> hashed = new ConcurrentLinkedQueue<>();
  private final MessageDigest sha = Digest.sha256();
  private Chunk chunk = new Chunk();
  // Belongs to the worker while it works.
  private byte[] head;
  private long events;

  Trace(Digest head, long events) {
    this.head = head.bytes();
    this.events = events;
  }

  /** Where the bytes of the next event go; {@link #endEvent} follows. */
  WireOutput nextEvent() {
    return chunk.bytes;
  }

  void endEvent() {
    chunk.endEvent();
    events++;
    if (chunk.bytes.size() >= CHUNK_BYTES) {
      Chunk full = chunk;
      worker.add(
          () -> {
            hash(full);
            hashed.add(full);
          });
      Chunk free = hashed.poll();
      chunk = free == null ? new Chunk() : free;
    }
  }

  private void hash(Chunk next) {
    int from = 0;
    for (int event = 0; event < next.count; event++) {
      sha.update(head);
      next.bytes.updateDigest(sha, from, next.ends[event]);
      head = sha.digest();
      from = next.ends[event];
    }
    next.clear();
  }

  /** The hash of all events so far. */
  Digest head() {
    worker.await();
    hash(chunk);
    return Digest.ofHash(head);
  }

  long events() {
    return events;
  }
}
