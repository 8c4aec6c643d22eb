package io.kindred.methods.averaging;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;

/**
 * Federated averaging of weights and velocities: a client starts with the server's weights and
 * velocity and sends both after training. The velocity is in the second slot, so the server
 * averages it with the same shares as the weights, and every message has twice the size.
 */
record AveragedVelocities(FedAvg method, PeerContext context)
    implements ServerRoundAlgorithm<AveragedVelocities.MovingModel> {
  private static final int WEIGHTS = 0;
  private static final int VELOCITY = 1;

  /** A model and the velocity with which its training goes on. */
  @Named("fedavg/moving-model")
  record MovingModel(Weights weights, Weights velocity) implements LocalState {}

  @Override
  public MovingModel initial() {
    return moving(commonModels());
  }

  private static MovingModel moving(List<Weights> slots) {
    return new MovingModel(slots.get(WEIGHTS), slots.get(VELOCITY));
  }

  @Override
  public Class<MovingModel> stateType() {
    return MovingModel.class;
  }

  @Override
  public int slots() {
    return 2;
  }

  @Override
  public List<Weights> commonModels() {
    Weights start = context.initialWeights().apply(0);
    return List.of(start, Weights.wrap(start.layout(), new float[start.size()]));
  }

  @Override
  public MovingModel adopt(MovingModel state, List<Weights> common) {
    return moving(common);
  }

  @Override
  public Optional<Predictor> clientPredictor(PeerId client, int round, List<Weights> models) {
    return Optional.of(predictor(client, models.get(WEIGHTS), round));
  }

  private Predictor predictor(PeerId client, Weights weights, int round) {
    return method.predictorFor(context.training(), client, weights, round);
  }

  @Override
  public PhaseResult<MovingModel> work(MovingModel state, int round, Optional<Result> last) {
    return last.isPresent() && last.get() instanceof Result.Trained trained
        ? PhaseResult.done(
            new MovingModel(trained.weights(), trained.velocity().orElseThrow()),
            Deployed.of(round, Stage.TRAINED, trained.weights()))
        : PhaseResult.compute(
            state,
            method
                .train(context, state.weights(), round)
                .fromVelocity(Optional.of(state.velocity())));
  }

  @Override
  public ModelUpdate outgoingUpdate(MovingModel state) {
    return ModelUpdate.of(
        new SlotModel(WEIGHTS, state.weights(), context.samples()),
        new SlotModel(VELOCITY, state.velocity(), context.samples()));
  }

  @Override
  public PhaseResult<MovingModel> merge(
      MovingModel state, int round, RoundUpdates updates, Optional<Result> last) {
    throw new IllegalStateException("fedavg peers do not merge models: the server averages them");
  }

  @Override
  public PhaseResult<MovingModel> completeRound(
      MovingModel state, int round, Optional<Result> last) {
    return PhaseResult.done(
        state,
        new Deployed(
            round, Stage.MIXED, predictor(context.self(), state.weights(), round), Audience.SELF));
  }
}
