package io.kindred.methods.semantic;

import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.methods.PeerContext;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signatures.SignatureRule;
import java.util.Optional;

/**
 * Similarity-aware pulling (Dogani et al., 2026, SemanticDFL, sections 2.1, 3 and 4.1): a peer
 * trains, signs its model, finds those most alike over the overlay, pulls their models, and goes
 * part of the way to their weighted mean.
 */
@Named(
    value = "semantic-dfl",
    summary =
        "finds the peers most alike over an overlay of signatures, pulls and mixes their models")
public record SemanticDfl(
    @Setting(doc = "what is pulled and how it is mixed", fallback = "{}") Pulling pull,
    @Setting(
            doc = "who looks for those most alike: the overlay, or a simulator that sees everybody",
            fallback = "overlay")
        Search search,
    @Setting(doc = "what an exact search compares", fallback = "signature") Oracle.By by,
    @Setting(doc = "how far a search in the overlay spreads", fallback = "{}") SearchRule reach,
    @Setting(
            doc = "share of the weights that a signature has; 0 leaves it to overlay.signatures",
            fallback = "0",
            min = 0,
            max = 1)
        double signatureShare,
    @Setting(
            doc = "most peers of a zone as a share of all; 0 takes overlay.zoneSize",
            fallback = "0.05",
            min = 0,
            max = 1)
        double zoneShare,
    @Setting(doc = "how the overlay is built", fallback = "{}") OverlaySettings overlay)
    implements PullRules {
  /** Who searches. */
  public enum Search {
    OVERLAY,
    EXACT;

    Optional<PullRules.Searching> in(
        OverlaySettings overlay, SearchRule reach, double zoneShare, int peers) {
      return this == EXACT
          ? Optional.empty()
          : Optional.of(new PullRules.Searching(zoned(overlay, zoneShare, peers), reach));
    }

    boolean lingers(OverlaySettings overlay) {
      return this == OVERLAY && overlay.life().lives();
    }

    /** Zones of one peer could not tell anybody apart, so two is the least. */
    private static OverlaySettings zoned(OverlaySettings overlay, double zoneShare, int peers) {
      return zoneShare > 0
          ? overlay.withZones(Math.max(2, (int) Math.round(zoneShare * peers)))
          : overlay;
    }
  }

  @Override
  public boolean lingers() {
    return search.lingers(overlay);
  }

  @Override
  public SignatureRule signatures() {
    return overlay.signatures();
  }

  @Override
  public Optional<Searching> searching(PeerContext context) {
    return search.in(overlay, reach, zoneShare, context.network());
  }
}
