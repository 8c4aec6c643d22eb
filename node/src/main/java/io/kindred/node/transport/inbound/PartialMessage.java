package io.kindred.node.transport.inbound;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Layouts;
import io.kindred.protocol.wire.MalformedException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** As much of a message as is there: its header, vectors that are whole, and one that is not. */
final class PartialMessage {
  private final Header header;
  private final Layouts layouts;
  private final Map<Digest, Weights> weights = new TreeMap<>();
  private @Nullable VectorAssembler currentVector;
  private int vectorIndex;
  private long completedWeights;

  /** The size of what follows is that of layouts we know, which the header was checked for. */
  PartialMessage(Header header, Layouts layouts) {
    this.header = header;
    this.layouts = layouts;
    startNextVector();
  }

  Header header() {
    return header;
  }

  private void startNextVector() {
    if (vectorIndex == header.blobs().size()) {
      currentVector = null;
      return;
    }
    Header.Blob blob = header.blobs().get(vectorIndex);
    currentVector = new VectorAssembler(layouts.find(blob.layout()).orElseThrow(), blob.packing());
  }

  /** Takes a frame; says what is wrong with a vector that it makes whole. */
  Optional<String> add(byte[] frame, double mostRms) throws MalformedException {
    VectorAssembler vector = currentVector;
    if (vector == null) {
      throw new MalformedException("more bytes than were announced");
    }
    vector.add(frame);
    if (!vector.isComplete()) {
      return Optional.empty();
    }
    Digest announced = header.blobs().get(vectorIndex).digest();
    Weights full = vector.verifiedWeights(announced);
    // Also where it is not a number.
    if (!(vector.rms() <= mostRms)) {
      return Optional.of(
          full.isFinite()
              ? "weights with a root mean square of %.3g".formatted(vector.rms())
              : "weights that are no numbers");
    }
    weights.put(announced, full);
    completedWeights += full.size();
    vectorIndex++;
    startNextVector();
    return Optional.empty();
  }

  boolean isComplete() {
    return currentVector == null;
  }

  /** The vectors, once all are there. */
  Map<Digest, Weights> weights() {
    return weights;
  }

  long receivedWeights() {
    VectorAssembler vector = currentVector;
    return completedWeights + (vector == null ? 0 : vector.receivedWeights());
  }

  /** The room that it takes, that for what is still missing included. */
  long announcedBytes() {
    return header.blobs().stream().mapToLong(Header.Blob::bytes).sum();
  }
}
