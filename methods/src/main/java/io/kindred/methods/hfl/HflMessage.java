package io.kindred.methods.hfl;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import java.util.List;

/** What coordinator, heads and clients say to each other. */
public sealed interface HflMessage extends Message {
  RoundAttempt roundAttempt();

  /** The coordinator says: this is the global model; let me know where your data would take it. */
  @Named("hfl/begin")
  record Begin(RoundAttempt roundAttempt, Weights model) implements HflMessage {}

  /**
   * A client says: this is what I would do, how fast I am and whom I reach.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("hfl/told")
  record SubmitReport(RoundAttempt roundAttempt, ClientReport report, int attempt)
      implements HflMessage {}

  /**
   * The coordinator says: learn with this head, in so many rounds. Only the head gets to know the
   * members.
   */
  @Named("hfl/assignment")
  record Assignment(
      RoundAttempt roundAttempt,
      int cluster,
      PeerId head,
      int rounds,
      List<FormClusters.Member> members)
      implements HflMessage {
    public Assignment {
      members = List.copyOf(members);
    }
  }

  /** A member says: this is what my data made of the cluster's model. */
  @Named("hfl/update")
  record Update(RoundAttempt roundAttempt, int step, Weights weights, int attempt)
      implements HflMessage {}

  /** A head says: this is the cluster's model now. */
  @Named("hfl/cluster-model")
  record ClusterModel(RoundAttempt roundAttempt, int step, Weights weights) implements HflMessage {}

  /**
   * A head says: this is what came of the cluster.
   *
   * @param from whose models are in it
   * @param slow who took far longer than it had said
   */
  @Named("hfl/outcome")
  record Outcome(
      RoundAttempt roundAttempt,
      int cluster,
      Weights weights,
      List<PeerId> from,
      List<PeerId> slow,
      int attempt)
      implements HflMessage {
    public Outcome {
      from = List.copyOf(from);
      slow = List.copyOf(slow);
    }
  }

  /** All of them, for the codec. */
  static List<Class<? extends Message>> all() {
    return List.of(
        Begin.class,
        SubmitReport.class,
        Assignment.class,
        Update.class,
        ClusterModel.class,
        Outcome.class);
  }
}
