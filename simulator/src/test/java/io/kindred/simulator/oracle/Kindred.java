package io.kindred.simulator.oracle;

import io.kindred.methods.Patience;
import io.kindred.methods.semantic.Oracle;
import io.kindred.methods.semantic.Pulling;
import io.kindred.methods.semantic.SemanticDfl;
import io.kindred.protocol.clusters.AffinityRule;
import io.kindred.protocol.overlay.LifeRule;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.search.ThresholdRule;
import io.kindred.protocol.signatures.Precision;
import io.kindred.protocol.signatures.SignatureRule;
import java.util.Optional;

/** Methods that look for those alike, sized for a few peers. */
public final class Kindred {
  private Kindred() {}

  public static final SignatureRule SIGNATURES =
      new SignatureRule(
          SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 32, 0.9, 0.2, Precision.BFLOAT16);

  public static final OverlaySettings OVERLAY =
      new OverlaySettings(
          2,
          4,
          8,
          3,
          8,
          0.1,
          OverlaySettings.RootSet.TREE,
          ThresholdRule.DEFAULT,
          new AffinityRule(0.7, 200, 15),
          SIGNATURES,
          LifeRule.NONE);

  public static Pulling pulling(double psi) {
    return new Pulling(2, psi, 1, 0.1, true, Patience.of(60), 2, Optional.empty());
  }

  public static SemanticDfl semantic(double psi, SemanticDfl.Search search) {
    return semantic(psi, search, Oracle.By.SIGNATURE);
  }

  public static SemanticDfl semantic(double psi, SemanticDfl.Search search, Oracle.By by) {
    return semantic(psi, search, by, OVERLAY);
  }

  /** Over an overlay of another kind. */
  public static SemanticDfl semantic(double psi, OverlaySettings overlay) {
    return semantic(psi, SemanticDfl.Search.OVERLAY, Oracle.By.SIGNATURE, overlay);
  }

  private static SemanticDfl semantic(
      double psi, SemanticDfl.Search search, Oracle.By by, OverlaySettings overlay) {
    return new SemanticDfl(
        pulling(psi), search, by, new SearchRule(8, SearchRule.Reading.NODE, 0), 0, 0, overlay);
  }
}
