package io.kindred.node.transport.inbound;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.node.transport.Packing;
import io.kindred.protocol.wire.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/**
 * Assembles one vector from its frames. Digest and norm are updated with each frame, while the next
 * one is in flight.
 */
final class VectorAssembler {
  private final Layout layout;
  private final Packing packing;
  private final float[] values;
  private final MessageDigest sha = Digest.sha256();
  private double sumOfSquares;
  private int position;

  VectorAssembler(Layout layout, Packing packing) {
    this.layout = layout;
    this.packing = packing;
    values = new float[layout.size()];
  }

  void add(byte[] frame) throws MalformedException {
    byte[] plain = packing.unpack(frame, values.length - position);
    int count = plain.length / Float.BYTES;
    ByteBuffer.wrap(plain)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values, position, count);
    sha.update(plain);
    sumOfSquares += VectorKernels.dot(values, position, values, position, count);
    position += count;
  }

  /** Weights received so far. */
  int receivedWeights() {
    return position;
  }

  boolean isComplete() {
    return position == values.length;
  }

  /** Root mean square so far; NaN or infinite if a weight is. */
  double rms() {
    return Math.sqrt(sumOfSquares / position);
  }

  /** The vector, if it matches the announced digest. */
  Weights verifiedWeights(Digest announced) throws MalformedException {
    Digest digest = Digest.ofHash(sha.digest());
    if (!digest.equals(announced)) {
      throw new MalformedException("weights are " + digest + ", not " + announced);
    }
    return Weights.wrap(layout, values, digest);
  }
}
