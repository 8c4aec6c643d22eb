package io.kindred.methods.hfl;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/** Messages between coordinator, heads and clients. */
public sealed interface HflMessage extends Message {
  RoundAttempt roundAttempt();

  /** From the coordinator to a client: the global model; asks for a report. */
  @Named("hfl/begin")
  record Begin(RoundAttempt roundAttempt, Weights model) implements HflMessage {}

  /**
   * From a client to the coordinator: its feature, its speed and its links.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("hfl/submit-report")
  record SubmitReport(RoundAttempt roundAttempt, ClientReport report, int attempt)
      implements HflMessage {}

  /**
   * From the coordinator to a client: its cluster, head and number of cluster rounds. Only the head
   * and the deputy receive the members and the region.
   *
   * @param deputy the member that takes over if the head crashes
   * @param region the region of the cluster; none if its head answers to the coordinator
   */
  @Named("hfl/assignment")
  @Buildable
  record Assignment(
      RoundAttempt roundAttempt,
      int cluster,
      PeerId head,
      Optional<PeerId> deputy,
      int rounds,
      List<FormClusters.Member> members,
      Optional<Region> region)
      implements HflMessage {
    public Assignment {
      members = List.copyOf(members);
    }

    /** A cluster without region. */
    public Assignment(
        RoundAttempt roundAttempt,
        int cluster,
        PeerId head,
        Optional<PeerId> deputy,
        int rounds,
        List<FormClusters.Member> members) {
      this(roundAttempt, cluster, head, deputy, rounds, members, Optional.empty());
    }
  }

  /**
   * The model of a cluster for the average of its region.
   *
   * @param from members whose models are in it
   * @param slow members that answered far later than they had reported
   * @param share weight of the members whose models are in it
   */
  record ClusterAverage(
      int cluster, Weights weights, List<PeerId> from, List<PeerId> slow, double share) {
    public ClusterAverage {
      from = List.copyOf(from);
      slow = List.copyOf(slow);
    }
  }

  /** From a head to the leader of its region, at the end of a cycle. */
  @Named("hfl/region-update")
  record RegionUpdate(RoundAttempt roundAttempt, int cycle, ClusterAverage average, int attempt)
      implements HflMessage {}

  /** From the leader of a region to a head: the average of the region after a cycle. */
  @Named("hfl/region-model")
  record RegionModel(RoundAttempt roundAttempt, int cycle, Weights weights) implements HflMessage {}

  /**
   * A cluster in the model of a region.
   *
   * @param from members whose models are in it
   * @param slow members that answered far later than they had reported
   */
  record Share(int cluster, List<PeerId> from, List<PeerId> slow) {
    public Share {
      from = List.copyOf(from);
      slow = List.copyOf(slow);
    }
  }

  /** From the leader of a region to the coordinator: the final model of the region. */
  @Named("hfl/region-outcome")
  record RegionOutcome(RoundAttempt roundAttempt, Weights weights, List<Share> shares, int attempt)
      implements HflMessage {
    public RegionOutcome {
      shares = List.copyOf(shares);
    }
  }

  /**
   * From a member to its head: the cluster's model after local training.
   *
   * @param heldTicks how long the member held the model of the head, from which the head measures
   *     the link; negative if it cannot
   */
  @Named("hfl/update")
  record Update(RoundAttempt roundAttempt, int step, Weights weights, long heldTicks, int attempt)
      implements HflMessage {}

  /**
   * From a member to its head: the head went on to another step while the member was still training
   * for this one. It tells a slow member from a member that crashed.
   */
  @Named("hfl/behind")
  record Behind(RoundAttempt roundAttempt, int step) implements HflMessage {}

  /**
   * From a head to a member: the averaged model of the cluster.
   *
   * @param heldTicks how long the head held the member's model, from which the member measures the
   *     link; negative if it cannot
   */
  @Named("hfl/cluster-model")
  record ClusterModel(RoundAttempt roundAttempt, int step, Weights weights, long heldTicks)
      implements HflMessage {}

  /**
   * From a head to the coordinator: the final model of the cluster.
   *
   * @param from members whose models are in the average
   * @param slow members that answered far later than they had reported
   */
  @Named("hfl/outcome")
  @Buildable
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

  /** From the deputy to the members of its cluster: the deputy is the head from this step on. */
  @Named("hfl/take-over")
  record TakeOver(RoundAttempt roundAttempt, int cluster, int step) implements HflMessage {}

  /** From a head to its deputy: the cluster is finished, so there is nothing to take over. */
  @Named("hfl/cluster-done")
  record ClusterDone(RoundAttempt roundAttempt) implements HflMessage {}

  /** From the coordinator to every client: the global model after the last round. */
  @Named("hfl/final-model")
  record FinalModel(RoundAttempt roundAttempt, Weights model) implements HflMessage {}

  /** From a restarted client to the coordinator: asks for the final model if there is one. */
  @Named("hfl/ask-for-model")
  record AskForModel() implements HflMessage {
    @Override
    public RoundAttempt roundAttempt() {
      return RoundAttempt.NONE;
    }
  }

  /** From the coordinator to a client: renews the lease of the coordinator. */
  @Named("hfl/lease")
  record Lease(RoundAttempt roundAttempt) implements HflMessage {}

  /** To a participant that follows or leads an older term: there is a newer one. */
  @Named("hfl/newer-term")
  record NewerTerm(RoundAttempt roundAttempt) implements HflMessage {}

  /**
   * From a client that stands for coordinator to another client.
   *
   * @param roundAttempt the term that it stands for
   * @param newest the last round attempt that the candidate took part in
   */
  @Named("hfl/vote-request")
  record VoteRequest(RoundAttempt roundAttempt, RoundAttempt newest) implements HflMessage {}

  /**
   * From a client to a candidate.
   *
   * @param newest the last round attempt that the voter took part in
   * @param model the global model that this attempt began with, if it is newer than the candidate's
   */
  @Named("hfl/vote")
  record Vote(
      RoundAttempt roundAttempt, boolean granted, RoundAttempt newest, Optional<Weights> model)
      implements HflMessage {}

  /** Bytes of the weights in the message, which make up nearly all of its size. */
  default long modelBytes() {
    return switch (this) {
      case Begin begin -> begin.model().bytes();
      case SubmitReport submit -> submit.report().modelBytes();
      case Update update -> update.weights().bytes();
      case ClusterModel model -> model.weights().bytes();
      case Outcome outcome -> outcome.weights().bytes();
      case RegionUpdate update -> update.average().weights().bytes();
      case RegionModel model -> model.weights().bytes();
      case RegionOutcome outcome -> outcome.weights().bytes();
      case FinalModel last -> last.model().bytes();
      case Vote vote -> vote.model().map(Weights::bytes).orElse(0L);
      case Assignment _,
          Behind _,
          TakeOver _,
          ClusterDone _,
          AskForModel _,
          Lease _,
          NewerTerm _,
          VoteRequest _ ->
          0;
    };
  }

  /** All message types, for the codec. */
  static List<Class<? extends Message>> all() {
    return List.of(
        Begin.class,
        SubmitReport.class,
        Assignment.class,
        Update.class,
        Behind.class,
        ClusterModel.class,
        Outcome.class,
        RegionUpdate.class,
        RegionModel.class,
        RegionOutcome.class,
        TakeOver.class,
        ClusterDone.class,
        FinalModel.class,
        AskForModel.class,
        Lease.class,
        NewerTerm.class,
        VoteRequest.class,
        Vote.class);
  }
}
