package io.kindred.methods.averaging;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundAlgorithm;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decentralized federated averaging with momentum (Sun, Li and Wang, 2023): every peer trains with
 * momentum, sends its model to its neighbours and averages theirs, by default with Metropolis
 * weights, 1 / (1 + larger degree of the two). Without momentum it is federated averaging on a
 * graph. The weight of a model that is missing at the timeout goes to the peer's own model, so the
 * weights still sum to one.
 */
@Named(
    value = "dfedavgm",
    summary = "gossip on a graph: train with momentum, average with the neighbours")
public record Dfedavgm(
    @Setting(
            doc = "momentum of local training, instead of `training.momentum`",
            fallback = "0.9",
            min = 0,
            max = 0.9999,
            tune = "0..0.95")
        double momentum,
    @Setting(
            doc =
                "how models are weighted on a graph: `metropolis` by the peers' numbers of"
                    + " neighbours, or `samples` by their numbers of training samples",
            fallback = "metropolis")
        GraphWeights weights,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  /** Metropolis weights. */
  public Dfedavgm(double momentum, TimeoutPolicy timeout, int staleness) {
    this(momentum, GraphWeights.METROPOLIS, timeout, staleness);
  }

  /** The one model of a peer. */
  @Named("dfedavgm/model")
  public record Model(Weights weights) implements LocalState {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return new Gossip<>(new Averaging(this, context), timeout, staleness).singleLayer();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(NeighbourUpdate.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Model.class);
  }

  private record Averaging(Dfedavgm method, PeerContext context) implements RoundAlgorithm<Model> {
    @Override
    public Model initial() {
      return new Model(context.initialWeights().apply(0));
    }

    @Override
    public Class<Model> stateType() {
      return Model.class;
    }

    @Override
    public PhaseResult<Model> work(Model state, int round, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Trained trained
          ? PhaseResult.done(
              new Model(trained.weights()),
              Observation.Deployed.of(round, Stage.TRAINED, trained.weights()))
          : PhaseResult.compute(
              state,
              context
                  .training()
                  .withMomentum(method.momentum())
                  .round(state.weights(), context.self(), round));
    }

    @Override
    public ModelUpdate outgoingUpdate(Model state) {
      return ModelUpdate.of(new SlotModel(0, state.weights(), context.samples()));
    }

    @Override
    public PhaseResult<Model> merge(
        Model state, int round, RoundUpdates updates, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? PhaseResult.done(new Model(mixed.weights()))
          : PhaseResult.mix(
              state,
              0,
              method.weights().weighting(),
              method.weights().mixture(state.weights(), 0, updates));
    }

    @Override
    public PhaseResult<Model> completeRound(Model state, int round, Optional<Result> last) {
      return PhaseResult.done(state, Observation.Deployed.of(round, Stage.MIXED, state.weights()));
    }
  }
}
