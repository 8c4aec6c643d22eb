package io.kindred.methods.clustered;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Soft clustering on a graph (FedSPD, section 4, algorithm 1): every sample of a peer belongs to
 * the cluster whose center has the lowest loss on it. In a round a peer draws a cluster by its
 * share of the samples, trains that center on them, sends it, and averages it with the centers of
 * neighbours that trained the same cluster. After the last round the sum of the centers, weighted
 * by shares, is trained on all samples of the peer.
 */
@Named(
    value = "fedspd",
    summary =
        "soft clusters on a graph: a peer trains one center in each round, and its"
            + " personal model at the end")
public record FedSpd(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(
            doc =
                "whether peers follow algorithm 1 (`paper`) or the code that the authors released"
                    + " (`released`), which differs from it",
            fallback = "paper")
        Variant variant,
    @Setting(
            doc = "epochs of the final, personal training",
            fallback = "10",
            min = 0,
            tune = "0..15")
        int finalEpochs,
    @Setting(doc = "step size of the final, personal training", fallback = "{}")
        FinalPhase finalPhase,
    @Setting(
            doc =
                "whether received centers are matched to a peer's own centers by cosine"
                    + " similarity, not by their number",
            fallback = "true")
        boolean matching,
    @Setting(
            doc =
                "which centers of a peer change in a round: only the one that it trained"
                    + " (`trained`), or also those that its neighbours sent (`received`)",
            fallback = "trained")
        Update update,
    @Setting(
            doc =
                "whether the centers start from different weights (`apart`) or from the same"
                    + " (`together`); all peers start alike",
            fallback = "apart")
        Start start,
    @Setting(
            doc =
                "which neighbours receive the center that a peer trained: all neighbours (`all`), or"
                    + " only neighbours that trained the same cluster in the round (`same-cluster`,"
                    + " which needs `matching` false); then all neighbours receive a small"
                    + " announcement of the cluster",
            fallback = "all")
        SendTo sendTo,
    @Setting(doc = "noise on the models that a peer sends", fallback = "{}")
        PrivacySettings privacy,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received center may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  /** Whether peers follow algorithm 1 or {@link ReleasedCode}. */
  public enum Variant {
    PAPER,
    RELEASED
  }

  /** Whether centers start from different weights or from the same; the paper does not say. */
  public enum Start {
    APART,
    TOGETHER
  }

  /**
   * Which centers change in a round. Line 24 of algorithm 1 lets a peer change only the center that
   * it trained; by the sentence under equation 1 a center stays unchanged only if no neighbour
   * trained it either.
   */
  public enum Update {
    TRAINED,
    RECEIVED
  }

  /**
   * Which neighbours receive the trained center. Section 6.3: "FedSPD only requires clients to send
   * their local models to their neighbors training models for the same cluster".
   */
  public enum SendTo {
    ALL,
    SAME_CLUSTER
  }

  public FedSpd {
    if (variant == Variant.RELEASED && privacy.isEnabled()) {
      throw new SettingException(
          "method.privacy.epsilon",
          "the released variant sends all centers in the first round, and the privacy budget covers"
              + " one center a round",
          "choose the variant paper or set the epsilon to 0");
    }
    if (variant == Variant.RELEASED && start == Start.TOGETHER) {
      throw new SettingException(
          "method.start",
          "in the released variant every peer starts from random centers of its own",
          "leave start out or choose the variant paper");
    }
    if (sendTo == SendTo.SAME_CLUSTER) {
      checkOtherCentersUnused(variant, matching && clusters > 1, update);
    }
  }

  /** With {@link SendTo#SAME_CLUSTER} a peer never receives a center of another cluster. */
  private static void checkOtherCentersUnused(Variant variant, boolean matches, Update update) {
    if (variant == Variant.RELEASED) {
      throw new SettingException(
          "method.sendTo",
          "the released variant matches the centers of all neighbours, but same-cluster sends only"
              + " centers of the same cluster",
          "choose the variant paper or set method.sendTo to all");
    }
    if (matches) {
      throw new SettingException(
          "method.sendTo",
          "a peer cannot match a center that it never receives, and same-cluster sends only centers"
              + " of the same cluster",
          "set method.matching to false or method.sendTo to all");
    }
    if (update == Update.RECEIVED) {
      throw new SettingException(
          "method.sendTo",
          "update received needs the centers that a peer did not train, but same-cluster sends only"
              + " centers of the same cluster",
          "set method.update to trained or method.sendTo to all");
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return new Gossip<>(new FedSpdAlgorithm(this, context), timeout, staleness).singleLayer();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(
        List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX, Ticket.Kind.CALL));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(NeighbourUpdate.class, Announcement.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(
        Centers.class,
        MatchCenters.class,
        MatchCenters.MatchedSlots.class,
        PrivacySettings.GaussianRelease.class,
        PrivacySettings.ReleasedWeights.class);
  }

  @Override
  public Stage lastStage() {
    return finalEpochs > 0 ? Stage.FINAL : Stage.MIXED;
  }
}
