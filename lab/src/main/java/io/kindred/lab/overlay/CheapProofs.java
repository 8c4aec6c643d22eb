package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.election.VrfSecret;
import io.kindred.protocol.overlay.Proofs;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Scores that are drawn in no time and believed: for studies of everything but proofs. */
public final class CheapProofs implements Proofs {
  @Override
  public Score.Drawn draw(PeerId peer, VrfSecret secret, Epoch before) {
    return new Score.Drawn(score(peer, secret.scalar()), secret.scalar());
  }

  @Override
  public Optional<Score> check(PeerId peer, Epoch before, Bytes proof) {
    return Optional.of(score(peer, proof));
  }

  private static Score score(PeerId peer, Bytes text) {
    return new Score(ByteBuffer.wrap(text.shared()).getLong(), peer);
  }
}
