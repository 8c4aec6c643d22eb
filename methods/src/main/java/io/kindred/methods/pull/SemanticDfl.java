package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.SignatureRule;
import java.util.Optional;

/**
 * Similarity-aware pulling (Dogani et al., 2026, SemanticDFL, sections 2.1, 3 and 4.1): a peer
 * trains, signs its model, finds the most similar peers over the overlay, pulls their models, and
 * moves its own by a fraction towards their weighted mean.
 */
@Named(
    value = "semantic-dfl",
    summary =
        "finds the most similar peers over an overlay of signatures, pulls and mixes"
            + " their models")
public record SemanticDfl(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(
            doc =
                "how similar peers are found: `overlay` searches the overlay, `exact` compares"
                    + " all peers, which only a simulator can",
            fallback = "overlay")
        Search search,
    @Setting(doc = "what an exact search compares", fallback = "signature")
        Oracle.ComparedBy comparedBy,
    @Setting(doc = "how widely a query searches the overlay", fallback = "{}") SearchRule reach,
    @Setting(
            doc =
                "share of the weights that a signature holds; 0 takes the rule of"
                    + " overlay.signatures",
            fallback = "0",
            min = 0,
            max = 1)
        double signatureShare,
    @Setting(
            doc =
                "largest number of peers in a zone as a share of all peers; 0 takes"
                    + " overlay.zoneSize",
            fallback = "0.05",
            min = 0,
            max = 1)
        double zoneShare,
    @Setting(doc = "how the overlay is built", fallback = "{}") OverlaySettings overlay)
    implements PullMethod {
  /** Whether the overlay or a simulator with a global view searches. */
  public enum Search {
    OVERLAY,
    EXACT;

    Optional<PullMethod.OverlaySearch> overlaySearch(
        OverlaySettings overlay, SearchRule reach, double zoneShare, int peers) {
      return this == EXACT
          ? Optional.empty()
          : Optional.of(
              new PullMethod.OverlaySearch(withZoneShare(overlay, zoneShare, peers), reach));
    }

    boolean continuesAfterLastRound(OverlaySettings overlay) {
      return this == OVERLAY && overlay.maintenance().enabled();
    }

    /** A zone of one peer has no members to compare, so two is the minimum. */
    private static OverlaySettings withZoneShare(
        OverlaySettings overlay, double zoneShare, int peers) {
      return zoneShare > 0
          ? overlay.withZoneSize(Math.max(2, (int) Math.round(zoneShare * peers)))
          : overlay;
    }
  }

  @Override
  public boolean continuesAfterLastRound() {
    return search.continuesAfterLastRound(overlay);
  }

  @Override
  public SignatureRule signatures() {
    return overlay.signatures();
  }

  @Override
  public Optional<OverlaySearch> overlaySearch(PeerContext context) {
    return search.overlaySearch(overlay, reach, zoneShare, context.networkSize());
  }
}
