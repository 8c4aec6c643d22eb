package io.kindred.methods.personal;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SharedModelMethod;
import io.kindred.methods.rounds.SlotModel;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A server mixes for each peer the models most similar to its own (Ye et al., 2023, pFedGraph): the
 * shares solve a small quadratic program over model similarities and sample counts. A peer trains
 * from its mixture, with a cosine term towards it, and deploys the trained model.
 */
@Named(
    value = "pfedgraph",
    summary = "a server mixes for each peer the models most similar to the peer's own")
public record PFedGraph(
    @Setting(
            doc =
                "strength of the pull of shares towards the shares of samples; lower values give"
                    + " similarity more weight",
            fallback = "0.8",
            above = 0,
            tune = "0.1..3 log")
        double lambda1,
    @Setting(
            doc = "strength of the pull of training towards the mixture",
            fallback = "0.01",
            min = 0,
            tune = "0.001..1 log")
        double lambda2,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  /**
   * State of a peer.
   *
   * @param mixture the mixture that the server sent
   * @param model the model after local training
   * @param round round of that training
   */
  @Named("pfedgraph/models")
  public record PersonalModel(Weights mixture, Weights model, int round) implements LocalState {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return over().layers(new Algorithm(this, context), rounds, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(
        PersonalModel.class, CollaborationGraph.class, ServerRoundAlgorithm.MixingShares.class);
  }

  @Override
  public Aggregation over() {
    return Aggregation.SERVER;
  }

  private record Algorithm(PFedGraph method, PeerContext context)
      implements ServerRoundAlgorithm<PersonalModel> {
    private Weights start() {
      return context.initialWeights().apply(0);
    }

    @Override
    public PersonalModel initial() {
      return new PersonalModel(start(), start(), 0);
    }

    @Override
    public Class<PersonalModel> stateType() {
      return PersonalModel.class;
    }

    @Override
    public boolean hasModelPerClient() {
      return true;
    }

    @Override
    public List<Weights> commonModels() {
      return Collections.nCopies(Math.max(1, context.peers().size()), start());
    }

    @Override
    public PersonalModel adopt(PersonalModel state, List<Weights> common) {
      return new PersonalModel(common.getFirst(), state.model(), state.round());
    }

    @Override
    public Ticket computeShares(List<SlotModel> delivered) {
      return new Ticket.Call(
          new CollaborationGraph(
              start(),
              delivered.stream().map(SlotModel::weights).toList(),
              delivered.stream().map(SlotModel::share).toList(),
              method.lambda1()));
    }

    @Override
    public PhaseResult<PersonalModel> work(PersonalModel state, int round, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Trained trained
          ? PhaseResult.done(
              new PersonalModel(state.mixture(), trained.weights(), round),
              Deployed.of(round, Stage.TRAINED, trained.weights()),
              Deployed.of(round, Stage.MIXED, trained.weights()))
          : PhaseResult.compute(
              state,
              context
                  .training()
                  .round(
                      state.mixture(),
                      objective(state),
                      DataView.own(DataView.Split.TRAIN),
                      context.self(),
                      round));
    }

    /** In the first round the mixture equals the start, so that there is no direction. */
    private Objective objective(PersonalModel state) {
      return method.lambda2() == 0 || state.mixture().equals(start())
          ? Objective.plain()
          : Objective.plain()
              .plus(new Objective.Term.Cosine(start(), state.mixture(), method.lambda2()));
    }

    @Override
    public ModelUpdate outgoingUpdate(PersonalModel state) {
      return ModelUpdate.of(new SlotModel(0, state.model(), Math.max(1, context.samples())));
    }

    @Override
    public PhaseResult<PersonalModel> merge(
        PersonalModel state, int round, RoundUpdates updates, Optional<Result> last) {
      throw new IllegalStateException("pfedgraph peers do not merge models: the server mixes them");
    }

    /** A client that missed a round deploys its last model in it. */
    @Override
    public PhaseResult<PersonalModel> completeRound(
        PersonalModel state, int round, Optional<Result> last) {
      return state.round() < round
          ? PhaseResult.done(state, Deployed.of(round, Stage.MIXED, state.model()))
          : PhaseResult.done(state);
    }
  }
}
