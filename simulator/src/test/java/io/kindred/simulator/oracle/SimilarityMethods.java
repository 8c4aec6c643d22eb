package io.kindred.simulator.oracle;

import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.pull.AnchorWeights;
import io.kindred.methods.pull.Oracle;
import io.kindred.methods.pull.PullSettings;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.ThresholdRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.Optional;

/** Methods that search for similar peers, sized for a few peers. */
public final class SimilarityMethods {
  private SimilarityMethods() {}

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
          OverlaySettings.RootDissemination.TREE,
          ThresholdRule.DEFAULT,
          new AffinityRule(0.7, 200, 15),
          SIGNATURES,
          MaintenanceSettings.DISABLED);

  public static PullSettings pulling(double psi) {
    return new PullSettings(
        2,
        1,
        psi,
        1,
        AnchorWeights.SIMILARITY,
        0.1,
        true,
        TimeoutPolicy.of(60),
        2,
        Optional.empty());
  }

  public static SemanticDfl semantic(double psi, SemanticDfl.Search search) {
    return semantic(psi, search, Oracle.ComparedBy.SIGNATURE);
  }

  public static SemanticDfl semantic(
      double psi, SemanticDfl.Search search, Oracle.ComparedBy comparedBy) {
    return semantic(psi, search, comparedBy, OVERLAY);
  }

  /** With other overlay settings. */
  public static SemanticDfl semantic(double psi, OverlaySettings overlay) {
    return semantic(psi, SemanticDfl.Search.OVERLAY, Oracle.ComparedBy.SIGNATURE, overlay);
  }

  private static SemanticDfl semantic(
      double psi,
      SemanticDfl.Search search,
      Oracle.ComparedBy comparedBy,
      OverlaySettings overlay) {
    return new SemanticDfl(
        pulling(psi),
        search,
        comparedBy,
        new SearchRule(8, SearchRule.BeamScope.NODE, 0),
        0,
        0,
        overlay);
  }
}
