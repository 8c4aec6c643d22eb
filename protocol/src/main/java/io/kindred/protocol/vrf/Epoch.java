package io.kindred.protocol.vrf;

import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.nio.ByteBuffer;

/**
 * An epoch of the overlay and its seed, which every peer can compute: seed(e) = SHA-256(seed(e - 1)
 * || e), with e as eight bytes, high ones first; the first seed is part of the network's
 * configuration.
 */
public record Epoch(long number, Digest seed) {
  public static Epoch zero(Digest seed) {
    return new Epoch(0, seed);
  }

  public Epoch next() {
    byte[] text =
        ByteBuffer.allocate(Digest.BYTES + Long.BYTES)
            .put(seed.bytes())
            .putLong(number + 1)
            .array();
    return new Epoch(number + 1, Digest.of(text));
  }

  /** The VRF input for the scores of the next epoch: this epoch's seed. */
  public Bytes vrfInput() {
    return Bytes.wrap(seed.bytes());
  }
}
