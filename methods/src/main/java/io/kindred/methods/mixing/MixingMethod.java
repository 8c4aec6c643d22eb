package io.kindred.methods.mixing;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SharedModelMethod;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Differences between methods that mix one model with their neighbours' models; the rounds are
 * common.
 */
public interface MixingMethod extends SharedModelMethod {
  /** Fixed settings, unless a method has settings for this. */
  @Override
  default RoundSettings rounds() {
    return RoundSettings.of(TimeoutPolicy.of(600));
  }

  /** The neighbours average, unless a method has a setting for this. */
  @Override
  default Aggregation over() {
    return Aggregation.GRAPH;
  }

  @Override
  default List<PeerLayer<?>> layers(PeerContext context) {
    return over().layers(new MixingAlgorithm(this, context), rounds(), 0);
  }

  @Override
  default SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  default List<Class<?>> otherRecords() {
    return List.of(MixingState.class);
  }

  /** Local training in a round. */
  Ticket.Train train(PeerContext context, Weights from, int round);

  /** Whether a peer mixes other models into its own. */
  default boolean mixes(PeerId self) {
    return true;
  }

  /** Whether a peer deploys the model after training, and not the one after mixing. */
  default boolean deploysTrained() {
    return false;
  }

  /** How {@link #mixture} weights models where a method estimates no shares. */
  default GraphWeights weights() {
    return GraphWeights.METROPOLIS;
  }

  /** How {@link #mixture} weights models, for observers. */
  default Weighting mixtureWeighting() {
    return weights().weighting();
  }

  /** Whether a peer sends its label counts with its model. */
  default boolean sendsLabels() {
    return false;
  }

  /**
   * Whether a peer that mixes sends a second model, which it never mixes. It trains both models in
   * a round, which takes twice as long.
   */
  default boolean sendsLoneModel() {
    return false;
  }

  /** How a peer predicts with a mixed model. */
  default Predictor predictorFor(Training training, PeerId peer, Weights mixed, int round) {
    return new Predictor.Single(mixed);
  }

  /** The estimate so far, and the ticket that continues it; the last step has no ticket. */
  record EstimateStep(Estimate estimate, Optional<Ticket> nextTicket) {}

  /** Starts an estimate of the shares in which models are mixed; empty if the shares are known. */
  default Optional<EstimateStep> startEstimate(
      MixingState state, int round, List<NeighbourModel> models) {
    return Optional.empty();
  }

  /**
   * Continues an estimate with the result of its ticket: the next ticket, or the final estimate.
   */
  default EstimateStep continueEstimate(PeerContext context, Estimate known, Result result) {
    throw new IllegalStateException("this method starts no estimate");
  }

  /**
   * The mixture of the received models, in shares that sum to one; by {@link #weights} by default.
   */
  default Mixture mixture(MixingState state, RoundUpdates updates, List<NeighbourModel> models) {
    return weights().mixture(state.weights(), 0, updates);
  }

  /** Training with a proximal term towards its initial weights; without the term if mu is zero. */
  static Ticket.Train proximalTraining(PeerContext context, Weights from, double mu, int round) {
    return context
        .training()
        .round(
            from,
            mu == 0
                ? Objective.plain()
                : Objective.plain().plus(new Objective.Term.Proximal(from, mu)),
            DataView.own(DataView.Split.TRAIN),
            context.self(),
            round);
  }
}
