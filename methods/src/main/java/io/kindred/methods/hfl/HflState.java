package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** State of a participant. */
public sealed interface HflState {
  /**
   * State of a participant.
   *
   * @param client its state as a client; the server is none
   * @param coordinator its state as the coordinator, if it is the coordinator
   * @param spentJoules energy that it has spent
   */
  record ParticipantState(
      Optional<ClientState> client,
      Optional<CoordinatorState> coordinator,
      StandbyState standby,
      double spentJoules)
      implements HflState {}

  /** Stages of a global round. */
  enum Stage {
    /** Before the next round. */
    WAITING,
    COLLECTING,
    FORMING,
    LEARNING,
    AVERAGING
  }

  /** A head reported in this round that the client answered far later than it had said. */
  record Strike(PeerId client, int round) {}

  /**
   * The final model of a cluster, or of the clusters of a region, and its weight.
   *
   * @param from the head or leader that sent it, or its deputy
   */
  record ClusterResult(PeerId from, List<Integer> clusters, Weights weights, double share) {
    public ClusterResult {
      clusters = List.copyOf(clusters);
    }

    ModelAverage.Model model() {
      return new ModelAverage.Model(from, weights, share);
    }
  }

  /**
   * State of the coordinator.
   *
   * @param awaited clients whose reports are missing, or heads whose outcomes are missing
   * @param links how link reports have deviated
   * @param strikes reports of slow clients that still count
   * @param stageStartTick when the stage began
   * @param featureTicks how long collecting reports took
   * @param lastMismatch the mismatch at the start of the previous round
   */
  @Buildable
  record CoordinatorState(
      RoundAttempt roundAttempt,
      Stage stage,
      Weights model,
      List<PeerId> awaited,
      List<ClientReport> reports,
      Optional<FormClusters.FormedClusters> formed,
      List<ClusterResult> clusterResults,
      List<Strike> strikes,
      LinkHistory links,
      long stageStartTick,
      long featureTicks,
      List<Long> latencies,
      Optional<GradientMismatch> lastMismatch) {}

  /** What a client is doing. */
  enum Phase {
    IDLE,
    /** Measures gradient and loss of the global model. */
    MEASURING_GRADIENT,
    /** Trains for its feature, or takes probe steps to measure its speed. */
    TRAINING_FEATURE,
    /** Computes outputs of the global model for its feature. */
    PREDICTING,
    /** Extracts its feature from the trained model. */
    EXTRACTING_FEATURE,
    /** Trains for its cluster. */
    TRAINING,
    /** Averages as a head. */
    MIXING
  }

  /** A model that a head received, and when. */
  record ReceivedModel(PeerId from, Weights weights, long tick) {}

  /**
   * State of a head.
   *
   * @param awaited members whose models of this step are missing
   * @param overdue members whose models were missing when a step ended, and that have not answered
   *     since: they are slow, have crashed or have lost their connection
   * @param slowMembers members that answered late
   * @param stepStartTick when the step began
   * @param timerNumber the number of the step's timer
   * @param regionState what it does in its region
   */
  @Buildable
  record HeadState(
      List<FormClusters.Member> members,
      List<PeerId> awaited,
      List<ReceivedModel> receivedModels,
      List<PeerId> overdue,
      List<PeerId> slowMembers,
      long stepStartTick,
      long timerNumber,
      RegionState regionState) {}

  /**
   * The cluster of a client in this round attempt.
   *
   * @param updateTick when the client last sent its model to the head
   * @param update that model, in case the deputy takes over; none while the client trains
   * @param deputy the member that takes over if the head crashes
   * @param deputyMembers the members if this client is the deputy
   * @param watchNumber the number of the timer after which the deputy takes over
   * @param region the region of the cluster, which only its head and its deputy know
   */
  @Buildable
  record Membership(
      int cluster,
      PeerId head,
      int rounds,
      int step,
      long updateTick,
      Optional<Weights> update,
      Optional<PeerId> deputy,
      List<FormClusters.Member> deputyMembers,
      long watchNumber,
      Optional<HeadState> headState,
      Optional<Region> region) {}

  /**
   * State of a client.
   *
   * @param model the global model, or the model that the client trained from it for its feature
   * @param links measured rates of the links to other peers
   * @param ticket the number of the ticket that the client waits for
   * @param workStartTick when that ticket was issued
   * @param deployedRound the last round whose global model the client has reported
   * @param asked the participant that the client has asked for the final model
   * @param draftReport the parts of its report that are known so far
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
      int deployedRound,
      Optional<PeerId> asked,
      Optional<Membership> membership) {}
}
