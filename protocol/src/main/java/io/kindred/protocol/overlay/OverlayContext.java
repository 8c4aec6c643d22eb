package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.VrfSecret;

/**
 * What a peer knows of itself and the network before anything happens.
 *
 * @param secret what it draws its election scores with
 * @param capacity what it registers with a zone; more is better
 * @param before the epoch whose seed the scores follow from
 * @param proofs how it checks the scores of others
 */
public record OverlayContext(
    PeerId self,
    OverlaySettings settings,
    VrfSecret secret,
    double capacity,
    Epoch before,
    Proofs proofs) {
  long epoch() {
    return before.number() + 1;
  }
}
