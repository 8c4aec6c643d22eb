package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.election.Vrf;
import io.kindred.protocol.election.VrfSecret;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Draws and checks scores of election. */
public interface Proofs {
  Score.Drawn draw(PeerId peer, VrfSecret secret, Epoch before);

  /** The score that a proof shows; empty where it shows none of this peer in this epoch. */
  Optional<Score> check(PeerId peer, Epoch before, Bytes proof);

  /**
   * Computes every time, as a node does.
   *
   * @param keys the public key that a peer's certificate names, if there is one
   */
  static Proofs plain(Function<PeerId, Optional<Bytes>> keys) {
    return new Proofs() {
      @Override
      public Score.Drawn draw(PeerId peer, VrfSecret secret, Epoch before) {
        return Score.draw(peer, secret, before);
      }

      @Override
      public Optional<Score> check(PeerId peer, Epoch before, Bytes proof) {
        return keys.apply(peer).flatMap(key -> Score.check(peer, key, before, proof));
      }
    };
  }

  /**
   * Remembers what it has computed, for a process with thousands of peers that all check the same
   * proofs. Both functions are pure, so nobody can tell the difference but by the time it takes.
   * Not what was refused: of wrong proofs there is no end.
   */
  static Proofs remembering(Proofs proofs) {
    record Question(PeerId peer, Epoch before, Bytes text) {}
    Map<Question, Score.Drawn> drawn = new ConcurrentHashMap<>();
    Map<Question, Optional<Score>> checked = new ConcurrentHashMap<>();
    return new Proofs() {
      @Override
      public Score.Drawn draw(PeerId peer, VrfSecret secret, Epoch before) {
        return drawn.computeIfAbsent(
            new Question(peer, before, secret.scalar()),
            question -> proofs.draw(peer, secret, before));
      }

      @Override
      public Optional<Score> check(PeerId peer, Epoch before, Bytes proof) {
        if (proof.size() != Vrf.PROOF_BYTES) {
          return Optional.empty();
        }
        Question question = new Question(peer, before, proof);
        Optional<Score> score =
            checked.computeIfAbsent(question, _ -> proofs.check(peer, before, proof));
        if (score.isEmpty()) {
          checked.remove(question);
        }
        return score;
      }
    };
  }
}
