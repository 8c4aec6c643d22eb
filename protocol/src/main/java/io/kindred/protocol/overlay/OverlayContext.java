package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;

/**
 * What a peer knows of itself and the network before anything happens.
 *
 * @param secret what it draws its election scores with
 * @param capacity what it registers with a zone; more is better
 * @param previousEpoch the epoch whose seed the scores follow from
 * @param verifier how it checks the scores of others
 */
public record OverlayContext(
    PeerId self,
    OverlaySettings settings,
    VrfSecret secret,
    double capacity,
    Epoch previousEpoch,
    ProofVerifier verifier) {
  long firstEpoch() {
    return previousEpoch.number() + 1;
  }
}
