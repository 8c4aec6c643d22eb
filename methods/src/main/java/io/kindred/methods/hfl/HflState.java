package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What coordinator and clients remember. */
public sealed interface HflState {
  /** Where a global round stands. */
  enum Stage {
    /** Before the next round. */
    WAITING,
    COLLECTING,
    FORMING,
    LEARNING,
    AVERAGING
  }

  /** What a cluster handed in. */
  record ClusterResult(int cluster, Weights weights, double share) {}

  /**
   * The coordinator.
   *
   * @param awaited clients whose reports are missing, or heads whose clusters are
   * @param strikes how often clients were reported slow
   * @param stageStartTick when its stage began
   * @param featureTicks how long collecting took
   * @param lastMismatch what was measured at the start of the round before
   */
  record CoordinatorState(
      RoundAttempt roundAttempt,
      Stage stage,
      Weights model,
      List<PeerId> awaited,
      List<ClientReport> reports,
      Optional<FormClusters.FormedClusters> formed,
      List<ClusterResult> clusterResults,
      SortedMap<PeerId, Integer> strikes,
      long stageStartTick,
      long featureTicks,
      List<Long> latencies,
      Optional<GradientMismatch> lastMismatch)
      implements HflState {}

  /** What a client is doing. */
  enum Phase {
    IDLE,
    /** Measures gradient and loss of the global model. */
    MEASURING_GRADIENT,
    /** Trains, or tries how fast it trains, to know its feature and its speed. */
    TRAINING_FEATURE,
    /** Answers with the global model, for a feature. */
    PREDICTING,
    /** Takes its feature from what it has trained. */
    EXTRACTING_FEATURE,
    /** Trains for its cluster. */
    TRAINING,
    /** Averages as a head. */
    MIXING
  }

  /** A model that a head was sent. */
  record ReceivedModel(PeerId from, Weights weights) {}

  /**
   * What a head remembers of its cluster.
   *
   * @param awaited whose models of this step are missing
   * @param stepStartTick when the step began
   * @param timerNumber the number of the step's timer
   */
  record HeadState(
      List<FormClusters.Member> members,
      List<PeerId> awaited,
      List<ReceivedModel> receivedModels,
      List<PeerId> slowMembers,
      long stepStartTick,
      long timerNumber) {}

  /** Where a client belongs in this session. */
  record Membership(
      int cluster, PeerId head, int rounds, int step, Optional<HeadState> headState) {}

  /**
   * A client.
   *
   * @param model the global model, or what it has trained from it
   * @param links what was measured of the ways to others
   * @param ticket the number of the work that it waits for
   * @param workStartTick when that work began
   * @param draftReport what is known of its report so far
   */
  record ClientState(
      RoundAttempt roundAttempt,
      Phase phase,
      Optional<Weights> model,
      Optional<Weights> global,
      List<PeerId> neighbours,
      SortedMap<PeerId, Double> links,
      long ticket,
      long workStartTick,
      ClientReport draftReport,
      Optional<Membership> membership)
      implements HflState {}
}
