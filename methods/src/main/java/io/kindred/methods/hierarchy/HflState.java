package io.kindred.methods.hierarchy;

import io.kindred.core.PeerId;
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
  record Harvest(int cluster, Weights weights, double share) {}

  /**
   * The coordinator.
   *
   * @param awaited clients whose reports are missing, or heads whose clusters are
   * @param strikes how often clients were reported slow
   * @param stageTick when its stage began
   * @param featureTicks how long collecting took
   * @param lastMismatch what was measured at the start of the round before
   */
  record Coordinating(
      Session session,
      Stage stage,
      Weights model,
      List<PeerId> awaited,
      List<Report> reports,
      Optional<FormClusters.Formed> formed,
      List<Harvest> harvests,
      SortedMap<PeerId, Integer> strikes,
      long stageTick,
      long featureTicks,
      List<Long> answers,
      Optional<Mismatch> lastMismatch)
      implements HflState {}

  /** What a client is doing. */
  enum Phase {
    IDLE,
    /** Measures gradient and loss of the global model. */
    SLOPE,
    /** Trains, or tries how fast it trains, to know its feature and its speed. */
    FEATURE,
    /** Answers with the global model, for a feature. */
    PREDICTING,
    /** Takes its feature from what it has trained. */
    TAKING,
    /** Trains for its cluster. */
    TRAINING,
    /** Averages as a head. */
    MIXING
  }

  /** A model that a head was sent. */
  record Arrived(PeerId from, Weights weights) {}

  /**
   * What a head remembers of its cluster.
   *
   * @param awaited whose models of this step are missing
   * @param askedTick when the step began
   * @param alarm the number of the step's timer
   */
  record Duty(
      List<FormClusters.Member> members,
      List<PeerId> awaited,
      List<Arrived> arrived,
      List<PeerId> slow,
      long askedTick,
      long alarm) {}

  /** Where a client belongs in this session. */
  record Membership(int cluster, PeerId head, int rounds, int step, Optional<Duty> duty) {}

  /**
   * A client.
   *
   * @param model the global model, or what it has trained from it
   * @param links what was measured of the ways to others
   * @param ticket the number of the work that it waits for
   * @param sinceTick when that work began
   * @param draft what is known of its report so far
   */
  record Client(
      Session session,
      Phase phase,
      Optional<Weights> model,
      Optional<Weights> global,
      List<PeerId> neighbours,
      SortedMap<PeerId, Double> links,
      long ticket,
      long sinceTick,
      Report draft,
      Optional<Membership> membership)
      implements HflState {}
}
