package io.kindred.methods.personal;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SharedModelMethod;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Federated averaging, and beside it a personal model that every step holds near the common one (Li
 * et al., 2021, Ditto, algorithm 1). A peer trains both models in a round, so its training takes
 * twice as long as with federated averaging; it deploys the personal model.
 */
@Named(
    value = "ditto",
    summary =
        "federated averaging, and for each peer a personal model that is held near the"
            + " common one")
public record Ditto(
    @Setting(
            doc = "strength of the pull of the personal model towards the common one",
            fallback = "0.1",
            min = 0,
            tune = "0.01..2 log")
        double lambda,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "server")
        Aggregation over,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  /**
   * State of a peer.
   *
   * @param anchor the common model that the round began with
   * @param common the common model after training or averaging
   * @param commonTrained whether the common model has been trained in this round
   */
  @Named("ditto/models")
  @Buildable
  public record ModelPair(Weights anchor, Weights common, Weights own, boolean commonTrained)
      implements LocalState {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return over.layers(new Algorithm(this, context), rounds, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(ModelPair.class);
  }

  private record Algorithm(Ditto method, PeerContext context)
      implements ServerRoundAlgorithm<ModelPair> {
    /** The number of the personal model; the common model has number zero. */
    private static final int OWN_MODEL = 1;

    @Override
    public ModelPair initial() {
      Weights start = context.initialWeights().apply(0);
      return new ModelPair(start, start, start, false);
    }

    @Override
    public Class<ModelPair> stateType() {
      return ModelPair.class;
    }

    @Override
    public ModelPair adopt(ModelPair state, List<Weights> common) {
      return new ModelPair(common.getFirst(), common.getFirst(), state.own(), false);
    }

    /**
     * Trains the common model, then the own one, held near the common model before its training.
     */
    @Override
    public PhaseResult<ModelPair> work(ModelPair state, int round, Optional<Result> last) {
      if (!(last.isPresent() && last.get() instanceof Result.Trained trained)) {
        ModelPair begun =
            ModelPairBuilder.from(state).anchor(state.common()).commonTrained(false).build();
        return PhaseResult.compute(
            begun, context.training().round(begun.anchor(), context.self(), round));
      }
      if (!state.commonTrained()) {
        ModelPair next =
            ModelPairBuilder.from(state).common(trained.weights()).commonTrained(true).build();
        return PhaseResult.compute(next, personalTraining(next, round));
      }
      return PhaseResult.done(
          ModelPairBuilder.from(state).own(trained.weights()).commonTrained(false).build(),
          Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
    }

    private Ticket personalTraining(ModelPair state, int round) {
      Objective objective =
          method.lambda() == 0
              ? Objective.plain()
              : Objective.plain()
                  .plus(new Objective.Term.Proximal(state.anchor(), method.lambda()));
      return context
          .training()
          .round(state.own(), objective, DataView.own(DataView.Split.TRAIN), context.self(), round)
          .ofModel(OWN_MODEL);
    }

    @Override
    public ModelUpdate outgoingUpdate(ModelPair state) {
      return ModelUpdate.of(new SlotModel(0, state.common(), context.samples()));
    }

    @Override
    public PhaseResult<ModelPair> merge(
        ModelPair state, int round, RoundUpdates updates, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? PhaseResult.done(
              ModelPairBuilder.from(state).common(mixed.weights()).commonTrained(false).build())
          : PhaseResult.mix(
              state,
              0,
              Observation.Weighting.DEGREES,
              Mixtures.metropolis(state.common(), 0, updates));
    }

    @Override
    public PhaseResult<ModelPair> completeRound(ModelPair state, int round, Optional<Result> last) {
      return PhaseResult.done(state, Observation.Deployed.of(round, Stage.MIXED, state.own()));
    }
  }
}
