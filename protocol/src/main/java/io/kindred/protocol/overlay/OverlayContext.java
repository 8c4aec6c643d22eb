package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;

/**
 * A peer's identity and settings, fixed before its overlay starts.
 *
 * @param secret key that the peer draws its election scores with
 * @param capacity capacity that the peer registers with a zone; more is better
 * @param previousEpoch the epoch before the first one; its seed determines the first election
 *     scores
 * @param verifier draws own election scores and verifies those of other peers
 */
public record OverlayContext(
    PeerId self,
    OverlaySettings settings,
    VrfSecret secret,
    double capacity,
    Epoch previousEpoch,
    ProofVerifier verifier) {}
