package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.mixing.ExpectationMaximization;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Federated expectation-maximization (Marfoq et al., 2021): the data of a peer are a mixture of a
 * few distributions, each with a common model. A round weighs every sample by how well each model
 * explains it, trains every model on the samples so weighted, and averages all of them. A peer
 * deploys the mixture of the models' outputs.
 */
@Named(
    value = "fedem",
    summary =
        "each peer mixes common models in its own proportions and trains all of them in"
            + " each round")
public record FedEm(
    @Setting(doc = "number of common models", fallback = "2", min = 1, max = 1000) int components,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "graph")
        Aggregation over,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  /**
   * State of a peer.
   *
   * @param shares share of each model in the mixture
   * @param responsibilities of each model for each sample, while models are trained
   * @param currentSlot which model is being trained or averaged
   */
  @Named("fedem/mixture")
  @Buildable
  public record Components(
      List<Weights> models, List<Double> shares, List<Floats> responsibilities, int currentSlot)
      implements LocalState {
    Components with(int slot, Weights weights) {
      return ComponentsBuilder.from(this).models(ModelSlots.replace(models, slot, weights)).build();
    }

    Components currentSlot(int slot) {
      return ComponentsBuilder.from(this).currentSlot(slot).build();
    }

    Components withResponsibilities(List<Floats> newResponsibilities) {
      return new Components(
          models, ExpectationMaximization.shares(newResponsibilities), newResponsibilities, 0);
    }

    Components done() {
      return ComponentsBuilder.from(this).responsibilities(List.of()).currentSlot(0).build();
    }

    double[] sharesArray() {
      return shares.stream().mapToDouble(Double::doubleValue).toArray();
    }

    Predictor predictor() {
      return new Predictor.Ensemble(ModelSlots.weightedMixture(models, sharesArray()));
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return over.layers(new Algorithm(components, context), rounds, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Components.class);
  }

  private record Algorithm(int slots, PeerContext context)
      implements ServerRoundAlgorithm<Components> {
    @Override
    public Components initial() {
      return new Components(commonModels(), ExpectationMaximization.uniform(slots), List.of(), 0);
    }

    @Override
    public Class<Components> stateType() {
      return Components.class;
    }

    @Override
    public Components adopt(Components state, List<Weights> common) {
      return ComponentsBuilder.from(state).models(common).build();
    }

    @Override
    public PhaseResult<Components> work(Components state, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return PhaseResult.compute(
            state, ModelSlots.losses(state.models(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses ->
            train(
                state.withResponsibilities(
                    ExpectationMaximization.responsibilities(losses.perMixture(), state.shares())),
                round);
        case Result.Trained trained -> {
          Components next =
              state
                  .with(state.currentSlot(), trained.weights())
                  .currentSlot(state.currentSlot() + 1);
          yield next.currentSlot() < slots
              ? train(next, round)
              : PhaseResult.done(next.done(), deployed(next, round, Stage.TRAINED));
        }
        case Result.Answered _, Result.Mixed _, Result.Outputs _ -> PhaseResult.done(state);
      };
    }

    private PhaseResult<Components> train(Components state, int round) {
      return PhaseResult.compute(
          state,
          context
              .training()
              .round(
                  state.models().get(state.currentSlot()),
                  Objective.plain(),
                  DataView.own(DataView.Split.TRAIN)
                      .select(
                          new DataView.Selection.Weighted(
                              state.responsibilities().get(state.currentSlot()))),
                  context.self(),
                  round)
              .ofModel(state.currentSlot()));
    }

    private static Observation deployed(Components state, int round, Stage stage) {
      return new Observation.Deployed(round, stage, state.predictor(), Audience.SELF);
    }

    @Override
    public ModelUpdate outgoingUpdate(Components state) {
      List<SlotModel> models = new ArrayList<>();
      for (int slot = 0; slot < slots; slot++) {
        models.add(new SlotModel(slot, state.models().get(slot), context.samples()));
      }
      return new ModelUpdate(models);
    }

    @Override
    public PhaseResult<Components> merge(
        Components state, int round, RoundUpdates updates, Optional<Result> last) {
      Components next = state.currentSlot(0);
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        next =
            state.with(state.currentSlot(), mixed.weights()).currentSlot(state.currentSlot() + 1);
      }
      return next.currentSlot() == slots
          ? PhaseResult.done(next.currentSlot(0))
          : PhaseResult.mix(
              next,
              next.currentSlot(),
              Observation.Weighting.DEGREES,
              Mixtures.metropolis(
                  next.models().get(next.currentSlot()), next.currentSlot(), updates));
    }

    @Override
    public PhaseResult<Components> completeRound(
        Components state, int round, Optional<Result> last) {
      return PhaseResult.done(
              state,
              new Observation.Measured(
                  round, Observation.Measured.CLUSTER, ModelSlots.largest(state.sharesArray())),
              deployed(state, round, Stage.MIXED))
          .withObservations(ModelSlots.modelsHeld(context, round, state.models()));
    }
  }
}
