package io.kindred.protocol.election;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.util.Optional;

/**
 * What a peer drew in an epoch: the first 64 bits of its random hash, without a sign. The least one
 * of a neighbourhood starts a zone; equal ones go by peer id (SemanticDFL, algorithm 2).
 */
public record Score(long bits, PeerId peer) implements Comparable<Score> {
  /** A score with what shows it to others. */
  public record Drawn(Score score, Bytes proof) {}

  /** Draws for the epoch after {@code before}. */
  public static Drawn draw(PeerId peer, VrfSecret secret, Epoch before) {
    Bytes proof = Vrf.prove(secret, before.lot());
    return new Drawn(of(Vrf.proofToHash(proof).orElseThrow(), peer), proof);
  }

  /** The score that a proof shows; empty for a forged proof, or one of another epoch or key. */
  public static Optional<Score> check(PeerId peer, Bytes publicKey, Epoch before, Bytes proof) {
    return Vrf.verify(publicKey, before.lot(), proof).map(hash -> of(hash, peer));
  }

  private static Score of(Digest hash, PeerId peer) {
    return new Score(hash.a(), peer);
  }

  @Override
  public int compareTo(Score other) {
    int byBits = Long.compareUnsigned(bits, other.bits);
    return byBits != 0 ? byBits : peer.compareTo(other.peer);
  }
}
