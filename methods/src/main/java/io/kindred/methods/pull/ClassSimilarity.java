package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import java.util.Arrays;
import java.util.Optional;

/**
 * As SemanticDFL, but a peer's signature is its number of samples of each class (appendix E.6). The
 * signature discloses the class distribution of the peer's data: a reference, not a proposal.
 */
@Named(
    value = "class-similarity",
    summary =
        "pulls from peers with a similar class distribution; discloses the class counts"
            + " of every peer")
public record ClassSimilarity(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(
            doc =
                "how similar peers are found: `overlay` searches the overlay, `exact` compares"
                    + " all peers, which only a simulator can",
            fallback = "exact")
        SemanticDfl.Search search,
    @Setting(doc = "how widely a query searches the overlay", fallback = "{}") SearchRule reach,
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
  @Override
  public Oracle.ComparedBy comparedBy() {
    return Oracle.ComparedBy.SIGNATURE;
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

  @Override
  public Optional<Signature> fixedSignature(PeerContext context) {
    int[] indices = new int[context.labelCounts().size()];
    Arrays.setAll(indices, index -> index);
    float[] counts = new float[indices.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = context.labelCounts().get(i);
    }
    return Optional.of(
        Signature.of(indices.length, Precision.FLOAT32, Ints.wrap(indices), Floats.wrap(counts)));
  }
}
