package io.kindred.methods.hierarchy;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.hierarchy.forming.Grouping;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Hierarchical learning (algorithm 1). In every global round clients report where their data would
 * take the global model, how fast they are and whom they reach; a coordinator forms clusters; each
 * cluster trains and averages at its head as often as goes into the global round's time; the
 * coordinator averages the clusters.
 */
@Named(
    value = "hfl",
    summary = "clusters that are fast inside and point where the whole points, anew in every round")
public record Hfl(
    @Setting(doc = "how clusters are formed", fallback = "{}") Grouping clusters,
    @Setting(
            doc =
                "what stands for a client's direction: the difference that training makes, the"
                    + " counts of its labels (skew), the difference in some layers (crop), or the"
                    + " mean answer of the global model (prediction)",
            fallback = "difference")
        Feature feature,
    @Setting(doc = "layers that crop keeps; none takes the smallest convolution", fallback = "[]")
        List<String> crop,
    @Setting(doc = "epochs of training for a feature", fallback = "1", min = 1) int featureEpochs,
    @Setting(
            doc =
                "where clusters start: each client from the model that it trained for its feature,"
                    + " or from the global one",
            fallback = "feature")
        Start start,
    @Setting(doc = "what a client counts for: by its samples, or all equal", fallback = "samples")
        Weighting weights,
    @Setting(
            doc = "seconds of a global round that clusters fill with rounds of their own (T_g)",
            fallback = "120",
            above = 0)
        double globalSeconds,
    @Setting(
            doc =
                "global rounds begin at multiples of so many seconds; 0 begins when the last is"
                    + " over. With network.roundSeconds the same, links are redrawn between rounds",
            fallback = "0",
            min = 0)
        double periodSeconds,
    @Setting(
            doc = "a client that takes so many times what it reported is slow",
            fallback = "2",
            above = 1)
        double slow,
    @Setting(
            doc = "times that heads report a client slow before it is left out; 0 never",
            fallback = "3",
            min = 0)
        int strikes,
    @Setting(
            doc = "whether gradients are compared (tables 8 and 9), which costs time and traffic",
            fallback = "false")
        boolean mismatch,
    @Setting(doc = "how long the coordinator waits for reports", fallback = "{}") Patience patience)
    implements Method {
  /** What clusters are formed by, beside time. */
  public enum Feature {
    DIFFERENCE,
    SKEW,
    CROP,
    PREDICTION;

    /** Whether a client trains to know it. */
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

  /** How much clients count. */
  public enum Weighting {
    SAMPLES,
    EQUAL
  }

  public Hfl {
    if (clusters.way() == Grouping.Way.LABEL_SKEW && feature != Feature.SKEW) {
      throw new Complaint(
          "feature", "label-skew clusters need counts of labels", "choose the feature skew");
    }
  }

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    Machine<HflState> machine =
        switch (context.role()) {
          case SERVER -> new Coordinator(this, context);
          case PEER -> new Participant(this, context);
        };
    return List.of(new Layer<>(Component.METHOD, machine, HflState.class));
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
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
        FormClusters.Formed.class,
        TakeFeature.class,
        TakeFeature.Feature.class);
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
  public Observation.Stage lastStage() {
    // The coordinator speaks for everybody: what it averaged is what they would deploy.
    return Observation.Stage.TRAINED;
  }

  @Override
  public void check(int peers) {
    try {
      clusters.check(peers);
    } catch (Complaint complaint) {
      throw new Complaint("method." + complaint.path(), complaint.problem(), complaint.remedy());
    }
  }
}
