package io.kindred.protocol.overlay.clustering;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.Signature;
import java.util.Optional;

/**
 * The peer's own signature, the same in all epochs.
 *
 * @param requestedBy the zone that waits for the signature
 * @param placementSignature the signature that the peer was placed in its cluster with
 */
@Buildable
public record LocalSignature(
    Optional<Signature> signature,
    int minimumEntries,
    Optional<ZoneId> requestedBy,
    Optional<Signature> placementSignature) {
  public static final LocalSignature NONE =
      new LocalSignature(Optional.empty(), 0, Optional.empty(), Optional.empty());

  /** The peer is placed with the signature that it now sends to a zone. */
  LocalSignature markPlaced() {
    return LocalSignatureBuilder.from(this)
        .requestedBy(Optional.empty())
        .placementSignature(signature)
        .build();
  }

  LocalSignature withRequester(ZoneId zone) {
    return LocalSignatureBuilder.from(this).requestedBy(Optional.of(zone)).build();
  }
}
