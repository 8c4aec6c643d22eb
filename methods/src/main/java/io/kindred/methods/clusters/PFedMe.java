package io.kindred.methods.clusters;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.Training;
import io.kindred.methods.rounds.Common;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Over;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Turn;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Personalization by Moreau envelopes (pFedMe, T Dinh et al., 2020, algorithm 1): a peer's own
 * model minimizes its loss plus (lambda / 2) times the squared distance to the common one, a few
 * steps at a time; after each time the common one moves towards it by eta lambda of the way. The
 * original takes all inner steps on one batch; here each takes the next.
 */
@Named(
    value = "pfedme",
    summary = "a model of one's own on a leash to the common one, which follows it slowly")
public record PFedMe(
    @Setting(doc = "strength of the leash", fallback = "15", above = 0) double lambda,
    @Setting(doc = "step size of the common model", fallback = "0.05", above = 0) double eta,
    @Setting(doc = "inner steps of the own model", fallback = "5", min = 1, max = 10_000)
        int innerSteps,
    @Setting(
            doc = "outer steps of a round; 0 takes as many as fill the local epochs",
            fallback = "0",
            min = 0,
            max = 100_000)
        int outerSteps,
    @Setting(
            doc = "how far a server goes from the old model to the mean",
            fallback = "1",
            above = 0,
            max = 1)
        double beta,
    @Setting(doc = "who averages: a server, or the neighbours on a graph", fallback = "graph")
        Over over,
    @Setting(doc = "how long others are waited for", fallback = "{}") Patience patience)
    implements Common {
  private static final Purpose INNER_BATCHES = new Purpose("inner-batches");

  public PFedMe {
    if (eta * lambda > 1) {
      throw new Complaint(
          "method.eta",
          "eta times lambda is " + eta * lambda + ", more than the whole way",
          "choose at most " + 1 / lambda);
    }
  }

  /**
   * What a peer remembers.
   *
   * @param step how many outer steps of the round are over
   */
  @Named("pfedme/models")
  public record Leash(Weights common, Weights own, int step) implements Memory {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return over.layers(new Steps(this, context), patience, 0, 1 - beta);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Leash.class);
  }

  private record Steps(PFedMe method, PeerContext context) implements ServedRecipe<Leash> {
    @Override
    public Leash initial() {
      Weights start = context.initialWeights().apply(0);
      return new Leash(start, start, 0);
    }

    @Override
    public Class<Leash> memoryType() {
      return Leash.class;
    }

    @Override
    public Leash adopt(Leash memory, List<Weights> common) {
      return new Leash(common.getFirst(), memory.own(), 0);
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
    public Turn<Leash> work(Leash memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return approach(memory, round);
      }
      return switch (last.get()) {
        case Result.Trained trained -> {
          double way = method.eta() * method.lambda();
          yield Turn.ask(
              new Leash(memory.common(), trained.weights(), memory.step()),
              new Ticket.Mix(
                  new Mixture(
                      List.of(
                          new Part(memory.common(), 1 - way), new Part(trained.weights(), way)))));
        }
        case Result.Mixed mixed -> {
          Leash next = new Leash(mixed.weights(), memory.own(), memory.step() + 1);
          yield next.step() < outerSteps()
              ? approach(next, round)
              : Turn.done(
                  new Leash(next.common(), next.own(), 0),
                  Observation.Deployed.of(round, Stage.TRAINED, next.own()));
        }
        case Result.Answered _, Result.Losses _, Result.Outputs _ -> Turn.done(memory);
      };
    }

    private Turn<Leash> approach(Leash memory, int round) {
      Objective leash =
          Objective.plain().plus(new Objective.Term.Proximal(memory.common(), method.lambda()));
      Training training = context.training();
      return Turn.ask(
          memory,
          new Ticket.Train(
              memory.own(),
              leash,
              DataView.own(DataView.Split.TRAIN),
              training.optimizerAt(round),
              training.batch(),
              new Ticket.Duration.Steps(method.innerSteps()),
              new StreamKey(
                  INNER_BATCHES,
                  context.self().number(),
                  (long) round * outerSteps() + memory.step())));
    }

    @Override
    public Parcel parcel(Leash memory) {
      return Parcel.of(new Item(0, memory.common(), 1));
    }

    @Override
    public Turn<Leash> merge(Leash memory, int round, Exchange exchange, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? Turn.done(new Leash(mixed.weights(), memory.own(), 0))
          : Turn.ask(memory, new Ticket.Mix(Mixtures.metropolis(memory.common(), 0, exchange)));
    }

    @Override
    public Turn<Leash> settle(Leash memory, int round, Optional<Result> last) {
      return Turn.done(memory, Observation.Deployed.of(round, Stage.MIXED, memory.own()));
    }
  }
}
