package io.kindred.methods.mixing;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.mixing.MixingState.Estimate;
import io.kindred.methods.mixing.MixingState.LoneModel;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rounds of a {@link MixingMethod}: train, estimate shares of the neighbours' models, mix. */
record MixingAlgorithm(MixingMethod method, PeerContext context)
    implements ServerRoundAlgorithm<MixingState> {
  /** The number of the model that is never mixed; the other one has number zero. */
  private static final int LONE_MODEL = 1;

  @Override
  public MixingState initial() {
    Weights start = context.initialWeights().apply(0);
    return new MixingState(
        start,
        Optional.empty(),
        method.sendsLoneModel() && method.mixes(context.self())
            ? Optional.of(new LoneModel(start, 0))
            : Optional.empty());
  }

  @Override
  public Class<MixingState> stateType() {
    return MixingState.class;
  }

  @Override
  public MixingState adopt(MixingState state, List<Weights> common) {
    return state.with(common.getFirst());
  }

  @Override
  public Optional<Predictor> clientPredictor(PeerId client, int round, List<Weights> models) {
    return method.deploysTrained()
        ? Optional.empty()
        : Optional.of(method.predictorFor(context.training(), client, models.getFirst(), round));
  }

  @Override
  public PhaseResult<MixingState> work(MixingState state, int round, Optional<Result> last) {
    Optional<LoneModel> untrained = state.lone().filter(lone -> lone.round() < round);
    if (!(last.isPresent() && last.get() instanceof Result.Trained trained)) {
      return PhaseResult.compute(
          state,
          untrained
              .map(lone -> method.train(context, lone.weights(), round).ofModel(LONE_MODEL))
              .orElseGet(() -> method.train(context, state.weights(), round)));
    }
    return untrained.isPresent()
        ? PhaseResult.compute(
            state.withLone(trained.weights(), round), method.train(context, state.weights(), round))
        : new PhaseResult<>(
            state.with(trained.weights()),
            afterTraining(state, round, trained.weights()),
            Optional.empty());
  }

  private List<Observation> afterTraining(MixingState state, int round, Weights trained) {
    List<Observation> observations = new ArrayList<>();
    observations.add(Deployed.of(round, Stage.TRAINED, trained));
    if (method.deploysTrained()) {
      state
          .estimate()
          .ifPresent(estimate -> observations.addAll(shareObservations(round, estimate)));
      observations.add(Deployed.of(round, Stage.MIXED, trained));
    }
    return observations;
  }

  /** Reports the shares of the neighbours' models in the deployed model. */
  private static List<Observation> shareObservations(int round, Estimate estimate) {
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < estimate.peers().size(); i++) {
      observations.add(
          new Observation.Measured(
              round, "share" + estimate.peers().get(i).number(), estimate.shares().get(i)));
    }
    if (!estimate.converged()) {
      observations.add(new Observation.Counted("shares-not-converged"));
    }
    return observations;
  }

  @Override
  public ModelUpdate outgoingUpdate(MixingState state) {
    ModelUpdate update = ModelUpdate.of(new SlotModel(0, state.sent(), context.samples()));
    return method.sendsLabels() ? update.withLabelCounts(context.labelCounts()) : update;
  }

  @Override
  public PhaseResult<MixingState> merge(
      MixingState state, int round, RoundUpdates updates, Optional<Result> last) {
    List<NeighbourModel> models = NeighbourModel.fromUpdates(updates, context.labelCounts());
    if (models.isEmpty() || !method.mixes(context.self())) {
      return PhaseResult.done(state);
    }
    if (last.isEmpty()) {
      return method
          .startEstimate(state, round, models)
          .map(estimateStep -> advanceEstimate(state, estimateStep, updates, models))
          .orElseGet(() -> mix(state, updates, models));
    }
    if (last.get() instanceof Result.Mixed mixed) {
      return PhaseResult.done(state.with(mixed.weights()));
    }
    Estimate known = state.estimate().orElseThrow();
    return advanceEstimate(
        state, method.continueEstimate(context, known, last.get()), updates, models);
  }

  private PhaseResult<MixingState> advanceEstimate(
      MixingState state,
      MixingMethod.EstimateStep estimateStep,
      RoundUpdates updates,
      List<NeighbourModel> models) {
    MixingState next = state.withEstimate(estimateStep.estimate());
    return estimateStep
        .nextTicket()
        .map(ticket -> PhaseResult.compute(next, ticket))
        .orElseGet(() -> mix(next, updates, models));
  }

  private PhaseResult<MixingState> mix(
      MixingState state, RoundUpdates updates, List<NeighbourModel> models) {
    return PhaseResult.mix(
        state, 0, method.mixtureWeighting(), method.mixture(state, updates, models));
  }

  @Override
  public PhaseResult<MixingState> completeRound(
      MixingState state, int round, Optional<Result> last) {
    if (method.deploysTrained()) {
      return PhaseResult.done(state);
    }
    Predictor predictor =
        method.predictorFor(context.training(), context.self(), state.weights(), round);
    return PhaseResult.done(state, new Deployed(round, Stage.MIXED, predictor, Audience.SELF));
  }
}
