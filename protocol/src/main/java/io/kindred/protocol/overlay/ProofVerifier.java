package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.Vrf;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Draws and verifies election scores for the epoch after {@code before}. */
public interface ProofVerifier {
  ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before);

  /** The score that a proof shows; empty where the proof is not of this peer and epoch. */
  Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof);

  /**
   * Computes every score anew, as a node does.
   *
   * @param keys the public key that a peer's certificate names, if there is one
   */
  public static ProofVerifier uncached(Function<PeerId, Optional<Bytes>> keys) {
    return new ProofVerifier() {
      @Override
      public ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
        return ElectionScore.draw(peer, secret, before);
      }

      @Override
      public Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof) {
        return keys.apply(peer).flatMap(key -> ElectionScore.verify(peer, key, before, proof));
      }
    };
  }

  /**
   * Caches scores, for a process with thousands of peers that all verify the same proofs. Both
   * functions are pure, so only the time differs. Refused proofs are not cached: there is no limit
   * to their number.
   */
  public static ProofVerifier caching(ProofVerifier verifier) {
    record Question(PeerId peer, Epoch before, Bytes text) {}
    Map<Question, ElectionScore.ProvenScore> provenScore = new ConcurrentHashMap<>();
    Map<Question, Optional<ElectionScore>> checked = new ConcurrentHashMap<>();
    return new ProofVerifier() {
      @Override
      public ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
        return provenScore.computeIfAbsent(
            new Question(peer, before, secret.scalar()),
            question -> verifier.draw(peer, secret, before));
      }

      @Override
      public Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof) {
        if (proof.size() != Vrf.PROOF_BYTES) {
          return Optional.empty();
        }
        Question question = new Question(peer, before, proof);
        Optional<ElectionScore> electionScore =
            checked.computeIfAbsent(question, _ -> verifier.verify(peer, before, proof));
        if (electionScore.isEmpty()) {
          checked.remove(question);
        }
        return electionScore;
      }
    };
  }
}
