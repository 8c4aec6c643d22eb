package io.kindred.methods.clusters;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.random.Purpose;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
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
import io.kindred.methods.rounds.Over;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Soft clustering by proximity (FedSoft, Ruan and Joe-Wong, 2022): a peer has one model of its own,
 * trained on all its samples and drawn towards every center by the share of samples that the center
 * explains best. A center is the mean of the models of those who were chosen for it; a peer is
 * chosen for one center a round, with the probability of its share.
 */
@Named(
    value = "fedsoft",
    summary = "a model of one's own, drawn towards the centers of the clusters it has data of")
public record FedSoft(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(doc = "pull towards the centers", fallback = "0.1", min = 0) double lambda,
    @Setting(doc = "least share of a center", fallback = "0.01", min = 0, max = 0.5) double floor,
    @Setting(doc = "who averages: a server, or the neighbours on a graph", fallback = "graph")
        Over over,
    @Setting(doc = "how long others are waited for", fallback = "{}") Patience patience)
    implements Common {
  private static final Purpose CENTER_CHOICE = new Purpose("center-choice");

  /**
   * What a peer remembers.
   *
   * @param chosen the center that its model counts for in this round
   * @param largest the center with most of its samples
   * @param at which center is being averaged
   */
  @Named("fedsoft/centers")
  public record Soft(List<Weights> centers, Weights model, int chosen, int largest, int at)
      implements Memory {
    Soft with(int slot, Weights center) {
      return new Soft(Slots.with(centers, slot, center), model, chosen, largest, at);
    }

    Soft at(int slot) {
      return new Soft(centers, model, chosen, largest, slot);
    }

    Soft trained(Weights weights) {
      return new Soft(centers, weights, chosen, largest, 0);
    }
  }

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return over.layers(new Steps(this, context), patience, 0, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Soft.class);
  }

  private record Steps(FedSoft method, PeerContext context) implements ServedRecipe<Soft> {
    @Override
    public Soft initial() {
      return new Soft(common(), context.initialWeights().apply(0), 0, 0, 0);
    }

    @Override
    public Class<Soft> memoryType() {
      return Soft.class;
    }

    @Override
    public int slots() {
      return method.clusters();
    }

    @Override
    public Soft adopt(Soft memory, List<Weights> common) {
      return new Soft(common, memory.model(), memory.chosen(), memory.largest(), 0);
    }

    @Override
    public Turn<Soft> work(Soft memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return Turn.ask(memory, Slots.losses(memory.centers(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses ->
            train(memory, round, shares(Slots.lowest(losses.perMixture())));
        case Result.Trained trained ->
            Turn.done(
                memory.trained(trained.weights()),
                Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
        case Result.Answered _, Result.Mixed _, Result.Outputs _ -> Turn.done(memory);
      };
    }

    /** The shares, none below the floor, brought back to a sum of one. */
    private double[] shares(int[] assigned) {
      double[] shares = Slots.shares(assigned, slots());
      Arrays.setAll(shares, slot -> Math.max(method.floor(), shares[slot]));
      double sum = Arrays.stream(shares).sum();
      Arrays.setAll(shares, slot -> sum > 0 ? shares[slot] / sum : 1.0 / shares.length);
      return shares;
    }

    private Turn<Soft> train(Soft memory, int round, double[] shares) {
      Objective objective = Objective.plain();
      for (int slot = 0; slot < slots(); slot++) {
        double pull = method.lambda() * shares[slot];
        if (pull > 0) {
          objective = objective.plus(new Objective.Term.Proximal(memory.centers().get(slot), pull));
        }
      }
      double lot =
          context.streams().stream(CENTER_CHOICE, context.self().number(), round).nextDouble();
      Soft next =
          new Soft(
              memory.centers(), memory.model(), Slots.draw(shares, lot), Slots.largest(shares), 0);
      return Turn.ask(
          next,
          context
              .training()
              .round(
                  memory.model(),
                  objective,
                  DataView.own(DataView.Split.TRAIN),
                  context.self(),
                  round));
    }

    @Override
    public Parcel parcel(Soft memory) {
      return Parcel.of(new Item(memory.chosen(), memory.model(), context.samples()));
    }

    @Override
    public Turn<Soft> merge(Soft memory, int round, Exchange exchange, Optional<Result> last) {
      Soft next = memory.at(0);
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        next = memory.with(memory.at(), mixed.weights()).at(memory.at() + 1);
      }
      for (int slot = next.at(); slot < slots(); slot++) {
        List<Weights> chosen =
            new ArrayList<>(exchange.items(slot).stream().map(Item::weights).toList());
        if (slot == next.chosen()) {
          chosen.addFirst(next.model());
        }
        if (!chosen.isEmpty()) {
          return Turn.ask(next.at(slot), new Ticket.Mix(Mixture.mean(chosen)));
        }
      }
      return Turn.done(next.at(0));
    }

    @Override
    public Turn<Soft> settle(Soft memory, int round, Optional<Result> last) {
      return Turn.done(
              memory,
              new Observation.Measured(round, Observation.Measured.CLUSTER, memory.largest()),
              Observation.Deployed.of(round, Stage.MIXED, memory.model()))
          .reporting(Slots.held(context, round, memory.centers()));
    }
  }
}
