package io.kindred.simulator.oracle;

import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.OverlayDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.RandomDiscovery;
import io.kindred.methods.discovery.SignatureSettings;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.kin.Choice;
import io.kindred.methods.kin.ChoiceSettings;
import io.kindred.methods.kin.Kin;
import io.kindred.methods.kin.KinSettings;
import io.kindred.methods.kin.KinSettingsBuilder;
import io.kindred.methods.kin.MixSettings;
import io.kindred.methods.kin.MomentumSettings;
import io.kindred.methods.kin.PersonalSettings;
import io.kindred.methods.pull.AnchorWeights;
import io.kindred.methods.pull.PullSettings;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.ThresholdRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;
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
    return pulling(psi, TimeoutPolicy.of(60), 2);
  }

  public static PullSettings pulling(double psi, TimeoutPolicy timeout, int staleness) {
    return new PullSettings(
        2, 1, psi, 1, AnchorWeights.SIMILARITY, 0.1, true, timeout, staleness, Optional.empty());
  }

  public static SemanticDfl semantic(double psi, PeerDiscovery discovery) {
    return new SemanticDfl(pulling(psi), discovery);
  }

  public static Kin kin(int k, TimeoutPolicy timeout, PeerDiscovery discovery) {
    return kin(k, timeout, 5, discovery);
  }

  /** The method with its defaults except for these. */
  public static Kin kin(int k, TimeoutPolicy timeout, int staleness, PeerDiscovery discovery) {
    return new Kin(
        new KinSettings(
            k,
            0.1,
            true,
            0,
            0,
            new MixSettings(true, 3, 0.5, 2, 4, true),
            new MomentumSettings(MomentumSettings.Rule.MIXED, 0.2),
            new PersonalSettings(0.2, 0.25),
            0.6,
            new ChoiceSettings(
                ChoiceSettings.Decision.SHARED, Choice.ENSEMBLE, 0.05, 0.375, 3, 0.5, 0, 0.5),
            false,
            0,
            staleness,
            timeout,
            discovery));
  }

  /** Draws by cosines of the guard, and ends a draw before unlike peers. */
  public static Kin kinByGuardCosines(int k, TimeoutPolicy timeout, PeerDiscovery discovery) {
    return new Kin(
        KinSettingsBuilder.from(kin(k, timeout, discovery).settings())
            .guardCosines(3)
            .leastWeight(0.1)
            .build());
  }

  public static PeerDiscovery overlay() {
    return overlay(OVERLAY);
  }

  /** With other overlay settings. */
  public static PeerDiscovery overlay(OverlaySettings settings) {
    return new OverlayDiscovery(new SearchRule(8, SearchRule.BeamScope.NODE, 0), 0, 0, settings);
  }

  public static PeerDiscovery exact(ExactDiscovery.Similarity comparedBy) {
    return new ExactDiscovery(comparedBy, new SignatureSettings(SIGNATURES, 0));
  }

  public static PeerDiscovery random() {
    return new RandomDiscovery(new SignatureSettings(SIGNATURES, 0));
  }

  /** Sketches of 64 bytes: the models of a small simulation have few weights. */
  public static ViewDiscovery views() {
    return new ViewDiscovery(
        new ViewSettings(
            4,
            4,
            4,
            6,
            3,
            10,
            0.5,
            0.8,
            true,
            40,
            3,
            2,
            new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 64, 0)));
  }

  /** Every way to find peers. */
  public static List<PeerDiscovery> discoveries() {
    return List.of(
        overlay(),
        exact(ExactDiscovery.Similarity.SIGNATURE),
        random(),
        views(),
        new NeighbourDiscovery());
  }
}
