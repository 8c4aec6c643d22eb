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

/** The received part of a message: its header, its complete vectors, and the vector in progress. */
final class PartialMessage {
  private final Header header;
  private final Layouts layouts;
  private final Map<Digest, Weights> weights = new TreeMap<>();
  private @Nullable VectorAssembler currentVector;
  private int vectorIndex;
  private long completedWeights;

  /**
   * The header must have passed {@link Layouts#requireKnown}, so that all announced sizes are those
   * of known layouts.
   */
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

  /** Adds a frame; returns what is wrong with the vector that it completes, if anything. */
  Optional<String> add(byte[] frame, double maxRms) throws MalformedException {
    VectorAssembler vector = currentVector;
    if (vector == null) {
      throw new MalformedException("the message has more weights than its header announces");
    }
    vector.add(frame);
    if (!vector.isComplete()) {
      return Optional.empty();
    }
    Digest announced = header.blobs().get(vectorIndex).digest();
    Weights full = vector.verifiedWeights(announced);
    // Negated, so that NaN is rejected as well.
    if (!(vector.rms() <= maxRms)) {
      return Optional.of(
          full.isFinite()
              ? "the weights have a root mean square of %.3g, but the limit is %s"
                  .formatted(vector.rms(), maxRms)
              : "the weights are not finite");
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

  /** The complete vectors, by digest. */
  Map<Digest, Weights> weights() {
    return weights;
  }

  long receivedWeights() {
    VectorAssembler vector = currentVector;
    return completedWeights + (vector == null ? 0 : vector.receivedWeights());
  }

  /** Bytes of all announced vectors, received or not. */
  long announcedBytes() {
    return header.blobs().stream().mapToLong(Header.Blob::bytes).sum();
  }
}
