package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Draws scores cheaply and accepts every proof: for studies that do not concern proofs. */
public final class UncheckedProofVerifier implements ProofVerifier {
  @Override
  public ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
    return new ElectionScore.ProvenScore(score(peer, secret.scalar()), secret.scalar());
  }

  @Override
  public Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof) {
    return Optional.of(score(peer, proof));
  }

  private static ElectionScore score(PeerId peer, Bytes text) {
    return new ElectionScore(ByteBuffer.wrap(text.shared()).getLong(), peer);
  }
}
