package io.kindred.methods.personal;

import io.kindred.core.Message;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Server;
import io.kindred.methods.rounds.Turn;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A server that mixes for each peer the models most like its own (Ye et al., 2023, pFedGraph): the
 * shares solve a small quadratic program over model similarities and sample counts. A peer trains
 * from its mixture, drawn in the direction of it, and deploys what it trained.
 */
@Named(value = "pfedgraph", summary = "a server mixes for each peer the models most like its own")
public record PFedGraph(
    @Setting(
            doc = "how far shares keep to those of samples; the lower, the more similarity counts",
            fallback = "0.8",
            above = 0)
        double lambda1,
    @Setting(doc = "how strongly training is drawn to the mixture", fallback = "0.01", min = 0)
        double lambda2,
    @Setting(doc = "how long the server waits", fallback = "{}") Patience patience)
    implements Method {
  /**
   * What a peer remembers.
   *
   * @param mixture what it was handed
   * @param model what it made of it
   * @param round in which that was
   */
  @Named("pfedgraph/models")
  public record Drawn(Weights mixture, Weights model, int round) implements Memory {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return Server.alone(new Steps(this, context), patience, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return Server.messages();
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Drawn.class, Collaboration.class, ServedRecipe.Weighed.class);
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  private record Steps(PFedGraph method, PeerContext context) implements ServedRecipe<Drawn> {
    private Weights start() {
      return context.initialWeights().apply(0);
    }

    @Override
    public Drawn initial() {
      return new Drawn(start(), start(), 0);
    }

    @Override
    public Class<Drawn> memoryType() {
      return Drawn.class;
    }

    @Override
    public boolean personal() {
      return true;
    }

    @Override
    public List<Weights> common() {
      return Collections.nCopies(Math.max(1, context.peers().size()), start());
    }

    @Override
    public Drawn adopt(Drawn memory, List<Weights> common) {
      return new Drawn(common.getFirst(), memory.model(), memory.round());
    }

    @Override
    public Ticket weigh(List<Item> delivered) {
      return new Ticket.Call(
          new Collaboration(
              start(),
              delivered.stream().map(Item::weights).toList(),
              delivered.stream().map(Item::share).toList(),
              method.lambda1()));
    }

    @Override
    public Turn<Drawn> work(Drawn memory, int round, Optional<Result> last) {
      return last.isPresent() && last.get() instanceof Result.Trained trained
          ? Turn.done(
              new Drawn(memory.mixture(), trained.weights(), round),
              Deployed.of(round, Stage.TRAINED, trained.weights()),
              Deployed.of(round, Stage.MIXED, trained.weights()))
          : Turn.ask(
              memory,
              context
                  .training()
                  .round(
                      memory.mixture(),
                      objective(memory),
                      DataView.own(DataView.Split.TRAIN),
                      context.self(),
                      round));
    }

    /** In the first round the mixture is the start itself, from where no direction leads to it. */
    private Objective objective(Drawn memory) {
      return method.lambda2() == 0 || memory.mixture().equals(start())
          ? Objective.plain()
          : Objective.plain()
              .plus(new Objective.Term.Cosine(start(), memory.mixture(), method.lambda2()));
    }

    @Override
    public Parcel parcel(Drawn memory) {
      return Parcel.of(new Item(0, memory.model(), Math.max(1, context.samples())));
    }

    @Override
    public Turn<Drawn> merge(Drawn memory, int round, Exchange exchange, Optional<Result> last) {
      throw new IllegalStateException("the server mixes");
    }

    /** Who was away for a round deploys in it what it has. */
    @Override
    public Turn<Drawn> settle(Drawn memory, int round, Optional<Result> last) {
      return memory.round() < round
          ? Turn.done(memory, Deployed.of(round, Stage.MIXED, memory.model()))
          : Turn.done(memory);
    }
  }
}
