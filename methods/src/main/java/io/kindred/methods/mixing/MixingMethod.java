package io.kindred.methods.mixing;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SharedModelMethod;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What tells methods apart that mix one model with their neighbours'; the rounds are common. */
public interface MixingMethod extends SharedModelMethod {
  /** How long a peer waits for others. */
  default TimeoutPolicy timeout() {
    return TimeoutPolicy.of(600);
  }

  /** Neighbours do unless a method leaves the choice. */
  @Override
  default Aggregation over() {
    return Aggregation.GRAPH;
  }

  @Override
  default List<PeerLayer<?>> layers(PeerContext context) {
    return over().layers(new MixingAlgorithm(this, context), timeout(), staleness(), 0);
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

  /** Whether a peer changes its model by those of others. */
  default boolean mixes(PeerId self) {
    return true;
  }

  /** Whether what is deployed is the model after training, and not the one after mixing. */
  default boolean deploysTrained() {
    return false;
  }

  /** How a mixed model is used. */
  default Predictor predictorFor(PeerContext context, Weights mixed, int round) {
    return new Predictor.Single(mixed);
  }

  /** What is known so far, and what is to be worked out next; the last one asks nothing. */
  record EstimateStep(Estimate estimate, Optional<Ticket> nextTicket) {}

  /** What has to be worked out about models before they are mixed; nothing where it is known. */
  default Optional<EstimateStep> startEstimate(
      MixingState memory, int round, List<NeighbourModel> models) {
    return Optional.empty();
  }

  /** What a result of an inquiry means: the next question, or the estimate that ends it. */
  default EstimateStep continueEstimate(PeerContext context, Estimate known, Result result) {
    throw new IllegalStateException("nothing was asked");
  }

  /** The models that are there, in shares that sum to one: Metropolis weights where not said. */
  default Mixture mixture(MixingState memory, RoundUpdates updates, List<NeighbourModel> models) {
    return Mixtures.metropolis(memory.weights(), 0, updates);
  }

  /** Training with a proximal term towards where it begins; without one where mu is zero. */
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
