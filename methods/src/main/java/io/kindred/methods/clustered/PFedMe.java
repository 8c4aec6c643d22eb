package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
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
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Personalization by Moreau envelopes (pFedMe, T Dinh et al., 2020, algorithm 1): a peer's own
 * model minimizes its loss plus (lambda / 2) times the squared distance to the common model, a few
 * inner steps at a time; then the common model moves towards it by the fraction eta lambda. The
 * original takes all inner steps on one batch; here each inner step takes the next batch.
 */
@Named(
    value = "pfedme",
    summary =
        "each peer trains its own model close to a common one; the common model moves a"
            + " fraction towards it")
public record PFedMe(
    @Setting(
            doc = "strength of the pull of a peer's own model towards the common one",
            fallback = "15",
            above = 0,
            tune = "1..20 log")
        double lambda,
    @Setting(
            doc = "step size of the common model",
            fallback = "0.05",
            above = 0,
            tune = "0.005..0.05 log")
        double eta,
    @Setting(doc = "inner steps of a peer's own model", fallback = "5", min = 1, max = 10_000)
        int innerSteps,
    @Setting(
            doc = "outer steps of a round; 0 takes as many as the local epochs need",
            fallback = "0",
            min = 0,
            max = 100_000)
        int outerSteps,
    @Setting(
            doc =
                "fraction by which a server moves the common model towards the mean of the"
                    + " peers' models",
            fallback = "1",
            above = 0,
            max = 1)
        double beta,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "graph")
        Aggregation over,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  private static final Purpose INNER_BATCHES = new Purpose("inner-batches");

  public PFedMe {
    if (eta * lambda > 1) {
      throw new SettingException(
          "method.eta",
          "eta times lambda is "
              + eta * lambda
              + ", but the common model can move at most by the whole distance (1)",
          "choose at most " + 1 / lambda);
    }
  }

  /**
   * State of a peer: the common model and its own.
   *
   * @param step number of completed outer steps of the round
   */
  @Named("pfedme/models")
  public record ModelPair(Weights common, Weights own, int step) implements LocalState {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return over.layers(new Algorithm(this, context), rounds, 1 - beta);
  }

  /**
   * A line about inner steps that diverge on the proximal term alone, whatever the data are. The
   * loss adds curvature, so inner steps can diverge somewhat below this limit too.
   */
  @Override
  public List<String> warnings(int peers, Training training) {
    double rate = training.learningRate();
    double limit = training.stabilityLimit();
    if (rate * lambda <= limit) {
      return warnings(peers);
    }
    String diverges =
        "'training.learningRate': "
            + figure(rate)
            + " times 'method.lambda' "
            + figure(lambda)
            + " is "
            + figure(rate * lambda)
            + ", and above "
            + figure(limit)
            + " the inner steps diverge from the common model; choose a learning rate below "
            + figure(limit / lambda)
            + " or a lambda below "
            + figure(limit / rate);
    return Stream.concat(warnings(peers).stream(), Stream.of(diverges)).toList();
  }

  private static String figure(double value) {
    return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(ModelPair.class);
  }

  private record Algorithm(PFedMe method, PeerContext context)
      implements ServerRoundAlgorithm<ModelPair> {
    @Override
    public ModelPair initial() {
      Weights start = context.initialWeights().apply(0);
      return new ModelPair(start, start, 0);
    }

    @Override
    public Class<ModelPair> stateType() {
      return ModelPair.class;
    }

    @Override
    public ModelPair adopt(ModelPair state, List<Weights> common) {
      return new ModelPair(common.getFirst(), state.own(), 0);
    }

    private int outerSteps() {
      if (method.outerSteps() > 0) {
        return method.outerSteps();
      }
      Training training = context.training();
      int batch = training.batch() == 0 ? Math.max(1, context.samples()) : training.batch();
      int steps = training.epochs() * Math.ceilDiv(Math.max(1, context.samples()), batch);
      return Math.ceilDiv(steps, method.innerSteps());
    }

    @Override
    public PhaseResult<ModelPair> work(ModelPair state, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return innerTraining(state, round);
      }
      return switch (last.get()) {
        case Result.Trained trained -> {
          double fraction = method.eta() * method.lambda();
          yield PhaseResult.compute(
              new ModelPair(state.common(), trained.weights(), state.step()),
              new Ticket.Mix(
                  new Mixture(
                      List.of(
                          new MixturePart(state.common(), 1 - fraction),
                          new MixturePart(trained.weights(), fraction)))));
        }
        case Result.Mixed mixed -> {
          ModelPair next = new ModelPair(mixed.weights(), state.own(), state.step() + 1);
          yield next.step() < outerSteps()
              ? innerTraining(next, round)
              : PhaseResult.done(
                  new ModelPair(next.common(), next.own(), 0),
                  Observation.Deployed.of(round, Stage.TRAINED, next.own()));
        }
        case Result.Answered _, Result.Losses _, Result.Outputs _ -> PhaseResult.done(state);
      };
    }

    private PhaseResult<ModelPair> innerTraining(ModelPair state, int round) {
      Objective objective =
          Objective.plain().plus(new Objective.Term.Proximal(state.common(), method.lambda()));
      Training training = context.training();
      return PhaseResult.compute(
          state,
          new Ticket.Train(
              state.own(),
              objective,
              DataView.own(DataView.Split.TRAIN),
              training.optimizerAt(round),
              training.batch(),
              new Ticket.Duration.Steps(method.innerSteps()),
              new StreamKey(
                  INNER_BATCHES,
                  context.self().number(),
                  (long) round * outerSteps() + state.step())));
    }

    @Override
    public boolean sharesAreSamples() {
      return false;
    }

    @Override
    public ModelUpdate outgoingUpdate(ModelPair state) {
      return ModelUpdate.of(new SlotModel(0, state.common(), 1));
    }

    @Override
    public PhaseResult<ModelPair> merge(
        ModelPair state, int round, RoundUpdates updates, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? PhaseResult.done(new ModelPair(mixed.weights(), state.own(), 0))
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
