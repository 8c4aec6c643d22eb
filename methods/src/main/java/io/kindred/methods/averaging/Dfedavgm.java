package io.kindred.methods.averaging;

import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.Recipe;
import io.kindred.methods.rounds.Turn;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decentralized federated averaging with momentum (Sun, Li and Wang, 2023): every peer trains with
 * momentum, sends its model to its neighbours and averages theirs with Metropolis weights, 1 / (1 +
 * larger degree of the two). Without momentum it is federated averaging on a graph. What is missing
 * when a peer's patience ends goes to its own share, so the weights still sum to one.
 */
@Named(
    value = "dfedavgm",
    summary = "gossip on a graph: train with momentum, average with the neighbours")
public record Dfedavgm(
    @Setting(
            doc = "momentum of local training, in place of the general one",
            fallback = "0.9",
            min = 0,
            max = 0.9999)
        double momentum,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  /** The one model of a peer. */
  @Named("dfedavgm/model")
  public record Model(Weights weights) implements Memory {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return new Gossip<>(new Averaging(this, context), patience, staleness).alone();
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Gossip.Offer.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Model.class);
  }

  private record Averaging(Dfedavgm method, PeerContext context) implements Recipe<Model> {
    @Override
    public Model initial() {
      return new Model(context.initialWeights().apply(0));
    }

    @Override
    public Class<Model> memoryType() {
      return Model.class;
    }

    @Override
    public Turn<Model> work(Model memory, int round, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Trained trained
          ? Turn.done(
              new Model(trained.weights()),
              Observation.Deployed.of(round, Stage.TRAINED, trained.weights()))
          : Turn.ask(
              memory,
              context
                  .training()
                  .withMomentum(method.momentum())
                  .round(memory.weights(), context.self(), round));
    }

    @Override
    public Parcel parcel(Model memory) {
      return Parcel.of(new Item(0, memory.weights(), context.samples()));
    }

    @Override
    public Turn<Model> merge(Model memory, int round, Exchange exchange, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Mixed mixed
          ? Turn.done(new Model(mixed.weights()))
          : Turn.ask(memory, new Ticket.Mix(Mixtures.metropolis(memory.weights(), 0, exchange)));
    }

    @Override
    public Turn<Model> settle(Model memory, int round, Optional<Result> last) {
      return Turn.done(memory, Observation.Deployed.of(round, Stage.MIXED, memory.weights()));
    }
  }
}
