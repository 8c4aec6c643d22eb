package io.kindred.methods.mixing;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rounds of a method that mixes its one model with its neighbours' in shares of its own. */
record MixingAlgorithm(MixingMethod method, PeerContext context)
    implements ServerRoundAlgorithm<MixingState> {
  @Override
  public MixingState initial() {
    return new MixingState(context.initialWeights().apply(0), Optional.empty());
  }

  @Override
  public Class<MixingState> stateType() {
    return MixingState.class;
  }

  @Override
  public MixingState adopt(MixingState memory, List<Weights> common) {
    return memory.with(common.getFirst());
  }

  @Override
  public PhaseResult<MixingState> work(MixingState memory, int round, Optional<Result> last) {
    return last.isPresent() && last.get() instanceof Result.Trained trained
        ? new PhaseResult<>(
            memory.with(trained.weights()),
            afterTraining(memory, round, trained.weights()),
            Optional.empty())
        : PhaseResult.compute(memory, method.train(context, memory.weights(), round));
  }

  private List<Observation> afterTraining(MixingState memory, int round, Weights trained) {
    List<Observation> observations = new ArrayList<>();
    observations.add(Deployed.of(round, Stage.TRAINED, trained));
    if (method.deploysTrained()) {
      memory
          .estimate()
          .ifPresent(estimate -> observations.addAll(shareObservations(round, estimate)));
      observations.add(Deployed.of(round, Stage.MIXED, trained));
    }
    return observations;
  }

  /** Lets know whose models the deployed one was made of. */
  private static List<Observation> shareObservations(int round, Estimate estimate) {
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < estimate.peers().size(); i++) {
      observations.add(
          new Observation.Measured(
              round, "share" + estimate.peers().get(i).number(), estimate.shares().get(i)));
    }
    return observations;
  }

  @Override
  public ModelUpdate outgoingUpdate(MixingState memory) {
    return ModelUpdate.of(new SlotModel(0, memory.weights(), context.samples()));
  }

  @Override
  public PhaseResult<MixingState> merge(
      MixingState memory, int round, RoundUpdates updates, Optional<Result> last) {
    List<NeighbourModel> models = NeighbourModel.fromUpdates(updates);
    if (models.isEmpty() || !method.mixes(context.self())) {
      return PhaseResult.done(memory);
    }
    if (last.isEmpty()) {
      return method
          .startEstimate(memory, round, models)
          .map(estimateStep -> advanceEstimate(memory, estimateStep, updates, models))
          .orElseGet(() -> mix(memory, updates, models));
    }
    if (last.get() instanceof Result.Mixed mixed) {
      return PhaseResult.done(memory.with(mixed.weights()));
    }
    Estimate known = memory.estimate().orElseThrow();
    return advanceEstimate(
        memory, method.continueEstimate(context, known, last.get()), updates, models);
  }

  private PhaseResult<MixingState> advanceEstimate(
      MixingState memory,
      MixingMethod.EstimateStep estimateStep,
      RoundUpdates updates,
      List<NeighbourModel> models) {
    MixingState next = memory.withEstimate(estimateStep.estimate());
    return estimateStep
        .nextTicket()
        .map(ticket -> PhaseResult.compute(next, ticket))
        .orElseGet(() -> mix(next, updates, models));
  }

  private PhaseResult<MixingState> mix(
      MixingState memory, RoundUpdates updates, List<NeighbourModel> models) {
    return PhaseResult.compute(memory, new Ticket.Mix(method.mixture(memory, updates, models)));
  }

  @Override
  public PhaseResult<MixingState> completeRound(
      MixingState memory, int round, Optional<Result> last) {
    if (method.deploysTrained()) {
      return PhaseResult.done(memory);
    }
    Predictor predictor = method.predictorFor(context, memory.weights(), round);
    return PhaseResult.done(memory, new Deployed(round, Stage.MIXED, predictor, Audience.SELF));
  }
}
