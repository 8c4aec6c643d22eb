package io.kindred.protocol.vrf;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.util.Optional;

/**
 * A peer's score in the election of an epoch: the first 64 bits of its VRF hash, unsigned. The peer
 * with the lowest score in a neighbourhood starts a zone; ties go by peer id (SemanticDFL,
 * algorithm 2).
 */
public record ElectionScore(long bits, PeerId peer) implements Comparable<ElectionScore> {
  /** A score with its VRF proof. */
  public record ProvenScore(ElectionScore score, Bytes proof) {}

  /** Draws the score of the epoch after {@code before}. */
  public static ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
    Bytes proof = Vrf.prove(secret, before.vrfInput());
    return new ProvenScore(of(Vrf.proofToHash(proof).orElseThrow(), peer), proof);
  }

  /** The score that a proof shows; empty for a forged proof, or one of another epoch or key. */
  public static Optional<ElectionScore> verify(
      PeerId peer, Bytes publicKey, Epoch before, Bytes proof) {
    return Vrf.verify(publicKey, before.vrfInput(), proof).map(hash -> of(hash, peer));
  }

  private static ElectionScore of(Digest hash, PeerId peer) {
    return new ElectionScore(hash.a(), peer);
  }

  @Override
  public int compareTo(ElectionScore other) {
    int byBits = Long.compareUnsigned(bits, other.bits);
    return byBits != 0 ? byBits : peer.compareTo(other.peer);
  }
}
