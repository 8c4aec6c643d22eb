package io.kindred.methods.hfl;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.record.Buildable;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.formation.FormationSettings;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Hierarchical learning (algorithm 1). In every global round clients report the direction in which
 * their data would change the global model, their speed and their links; a coordinator forms
 * clusters; each cluster trains and averages at its head as often as fits into the time of the
 * global round; the coordinator averages the clusters.
 */
@Named(
    value = "hfl",
    summary =
        "hierarchical learning: each global round forms fast clusters whose training"
            + " direction is close to that of all clients")
@Buildable
public record Hfl(
    @Setting(doc = "how clusters are formed", fallback = "{}") FormationSettings clusters,
    @Setting(
            doc =
                "feature that describes a client's data: `difference` of the weights by"
                    + " training, `skew` for its label counts, `crop` for the difference in some"
                    + " layers, `prediction` for the mean output of the global model",
            fallback = "difference")
        Feature feature,
    @Setting(
            doc =
                "layers that the feature crop keeps; an empty list takes the smallest convolution",
            fallback = "[]")
        List<String> crop,
    @Setting(doc = "training epochs for a feature", fallback = "1", min = 1, tune = "1..3")
        int featureEpochs,
    @Setting(
            doc =
                "model that a client's first cluster round starts from: the one that it trained"
                    + " for its feature, or the global one",
            fallback = "feature")
        Start start,
    @Setting(
            doc = "weight of a client's model: its number of samples, or equal for all clients",
            fallback = "samples")
        Weighting weighting,
    @Setting(
            doc = "seconds of a global round, in which clusters run their own rounds (T_g)",
            fallback = "120",
            above = 0)
        double globalSeconds,
    @Setting(
            doc =
                "seconds at whose multiples global rounds begin; 0 begins a round when the last"
                    + " one ends; set network.roundSeconds to the same number to redraw links"
                    + " between global rounds",
            fallback = "0",
            min = 0)
        double periodSeconds,
    @Setting(
            doc = "a client counts as slow if it takes this many times as long as it reported",
            fallback = "2",
            above = 1)
        double slowFactor,
    @Setting(
            doc =
                "strikes after which a client is excluded until some of them have expired; a client"
                    + " earns a strike in a round in which its head received its model late, and"
                    + " none by a crash or a lost connection; 0 never excludes",
            fallback = "3",
            min = 0)
        int strikes,
    @Setting(doc = "global rounds after which a strike expires", fallback = "10", min = 1)
        int strikeRounds,
    @Setting(
            doc =
                "ratio between the rates that both ends report for a link, in the median over a"
                    + " client's links, up to which the client's reports are accepted",
            fallback = "4",
            above = 1)
        double linkTolerance,
    @Setting(doc = "rounds of link reports by which a client is judged", fallback = "3", min = 1)
        int linkRounds,
    @Setting(
            doc =
                "whether the gradient mismatch of clusters is measured (tables 8 and 9), which"
                    + " costs time and traffic",
            fallback = "false")
        boolean mismatch,
    @Setting(doc = "how long the coordinator waits for reports", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(doc = "how a client replaces a coordinator that has crashed", fallback = "{}")
        StandbySettings standby)
    implements Method {
  /** What clusters are formed by, apart from time. */
  public enum Feature {
    DIFFERENCE,
    SKEW,
    CROP,
    PREDICTION;

    /** Whether a client has to train for the feature. */
    boolean isTrained() {
      return this == DIFFERENCE || this == CROP;
    }
  }

  /** Which model a cluster's first round starts from. */
  public enum Start {
    /** As algorithm 1, line 11, has it. */
    FEATURE,
    /** As the proof of section 4.2 has it. */
    GLOBAL
  }

  /** How models of clients are weighted. */
  public enum Weighting {
    SAMPLES,
    EQUAL
  }

  public Hfl {
    if (clusters.way() == FormationSettings.Algorithm.LABEL_SKEW && feature != Feature.SKEW) {
      throw new SettingException(
          "feature",
          "label-skew clusters need the label counts of clients",
          "choose the feature skew");
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(
        new PeerLayer<>(Component.METHOD, new HflMachine(this, context), HflState.class));
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(
        List.of(Ticket.Kind.TRAIN, Ticket.Kind.OUTPUTS, Ticket.Kind.MIX, Ticket.Kind.CALL));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return HflMessage.all();
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(
        FormClusters.class,
        FormClusters.FormedClusters.class,
        ExtractFeature.class,
        ExtractFeature.Feature.class);
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public boolean measuresLinks() {
    return true;
  }

  @Override
  public void check(int peers) {
    try {
      clusters.checkAll(peers);
    } catch (SettingException invalid) {
      throw new SettingException("method." + invalid.path(), invalid.problem(), invalid.remedy());
    }
  }
}
