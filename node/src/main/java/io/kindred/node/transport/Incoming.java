package io.kindred.node.transport;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** As much of a message as is there: its header, vectors that are whole, and one that is not. */
final class Incoming {
  private final Header header;
  private final Layouts layouts;
  private final Map<Digest, Weights> weights = new TreeMap<>();
  private @Nullable Filling filling;
  private int next;
  private long whole;

  /** The size of what follows is that of layouts we know, which the header was checked for. */
  Incoming(Header header, Layouts layouts) {
    this.header = header;
    this.layouts = layouts;
    expectNext();
  }

  Header header() {
    return header;
  }

  private void expectNext() {
    if (next == header.blobs().size()) {
      filling = null;
      return;
    }
    Header.Blob blob = header.blobs().get(next);
    filling = new Filling(layouts.find(blob.layout()).orElseThrow(), blob.packing());
  }

  /** Takes a frame; says what is wrong with a vector that it makes whole. */
  Optional<String> add(byte[] frame, double mostRms) throws MalformedException {
    Filling vector = filling;
    if (vector == null) {
      throw new MalformedException("more bytes than were announced");
    }
    vector.add(frame);
    if (!vector.isFull()) {
      return Optional.empty();
    }
    Digest announced = header.blobs().get(next).digest();
    Weights full = vector.weights(announced);
    // Also where it is not a number.
    if (!(vector.rms() <= mostRms)) {
      return Optional.of(
          full.isFinite()
              ? "weights with a root mean square of %.3g".formatted(vector.rms())
              : "weights that are no numbers");
    }
    weights.put(announced, full);
    whole += full.size();
    next++;
    expectNext();
    return Optional.empty();
  }

  boolean isWhole() {
    return filling == null;
  }

  /** The vectors, once all are there. */
  Map<Digest, Weights> weights() {
    return weights;
  }

  long weightsSoFar() {
    Filling vector = filling;
    return whole + (vector == null ? 0 : vector.count());
  }

  /** The room that it takes, that for what is still missing included. */
  long bytes() {
    return header.blobs().stream().mapToLong(Header.Blob::bytes).sum();
  }
}
