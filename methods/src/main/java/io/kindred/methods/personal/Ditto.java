package io.kindred.methods.personal;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
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
 * Federated averaging, and beside it a model of one's own that every step holds near the common one
 * (Li et al., 2021, Ditto, algorithm 1). A peer trains both in a round, so it works twice as long
 * as with federated averaging; what it deploys is its own.
 */
@Named(
    value = "ditto",
    summary = "federated averaging, and a model of one's own held near the common one")
public record Ditto(
    @Setting(doc = "how strongly the own model is held", fallback = "0.1", min = 0) double lambda,
    @Setting(doc = "who averages: a server, or the neighbours on a graph", fallback = "server")
        Over over,
    @Setting(doc = "how long others are waited for", fallback = "{}") Patience patience)
    implements Common {
  /**
   * What a peer remembers.
   *
   * @param anchor the common model that the round began with
   * @param common what it became
   * @param commonTrained whether the common model of this round is trained
   */
  @Named("ditto/models")
  public record Pair(Weights anchor, Weights common, Weights own, boolean commonTrained)
      implements Memory {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return over.layers(new Steps(this, context), patience, 0, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Pair.class);
  }

  private record Steps(Ditto method, PeerContext context) implements ServedRecipe<Pair> {
    @Override
    public Pair initial() {
      Weights start = context.initialWeights().apply(0);
      return new Pair(start, start, start, false);
    }

    @Override
    public Class<Pair> memoryType() {
      return Pair.class;
    }

    @Override
    public Pair adopt(Pair memory, List<Weights> common) {
      return new Pair(common.getFirst(), common.getFirst(), memory.own(), false);
    }

    /** First the common model, then the own one held near what the common one was. */
    @Override
    public Turn<Pair> work(Pair memory, int round, Optional<Result> last) {
      if (!(last.isPresent() && last.get() instanceof Result.Trained trained)) {
        Pair begun = new Pair(memory.common(), memory.common(), memory.own(), false);
        return Turn.ask(begun, context.training().round(begun.anchor(), context.self(), round));
      }
      if (!memory.commonTrained()) {
        Pair next = new Pair(memory.anchor(), trained.weights(), memory.own(), true);
        return Turn.ask(next, personal(next, round));
      }
      return Turn.done(
          new Pair(memory.anchor(), memory.common(), trained.weights(), false),
          Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
    }

    private Ticket personal(Pair memory, int round) {
      Objective objective =
          method.lambda() == 0
              ? Objective.plain()
              : Objective.plain()
                  .plus(new Objective.Term.Proximal(memory.anchor(), method.lambda()));
      return context
          .training()
          .round(
              memory.own(), objective, DataView.own(DataView.Split.TRAIN), context.self(), round);
    }

    @Override
    public Parcel parcel(Pair memory) {
      return Parcel.of(new Item(0, memory.common(), context.samples()));
    }

    @Override
    public Turn<Pair> merge(Pair memory, int round, Exchange exchange, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? Turn.done(new Pair(memory.anchor(), mixed.weights(), memory.own(), false))
          : Turn.ask(memory, new Ticket.Mix(Mixtures.metropolis(memory.common(), 0, exchange)));
    }

    @Override
    public Turn<Pair> settle(Pair memory, int round, Optional<Result> last) {
      return Turn.done(memory, Observation.Deployed.of(round, Stage.MIXED, memory.own()));
    }
  }
}
