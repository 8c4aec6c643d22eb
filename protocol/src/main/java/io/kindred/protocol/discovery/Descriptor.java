package io.kindred.protocol.discovery;

import io.kindred.core.peer.Claim;
import io.kindred.core.peer.PeerId;

/**
 * What a peer says about its model.
 *
 * @param version when the owner had trained the model, in ticks of the owner's clock. A later model
 *     has a larger version even if the owner lost its state in between. Rounds would not do: an
 *     owner without its state trains rounds again, with other weights.
 */
public record Descriptor(
    @Claim(Claim.Kind.OWNER) PeerId peer,
    long version,
    @Claim(Claim.Kind.LIKENESS) Sketch sketch) {}
