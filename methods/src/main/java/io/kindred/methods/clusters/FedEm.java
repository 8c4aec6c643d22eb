package io.kindred.methods.clusters;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.mixing.ExpectationMaximization;
import io.kindred.methods.rounds.Common;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Over;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Federated expectation-maximization (Marfoq et al., 2021): the data of a peer are a mixture of a
 * few distributions, each with a common model. A round weighs every sample by how well each model
 * explains it, trains every model on the samples so weighted, and averages all of them. What a peer
 * deploys is the mixture of the models' answers.
 */
@Named(
    value = "fedem",
    summary = "a mixture of common models in every peer's own proportions, all trained each round")
public record FedEm(
    @Setting(doc = "models that are mixed", fallback = "2", min = 1, max = 1000) int components,
    @Setting(doc = "who averages: a server, or the neighbours on a graph", fallback = "graph")
        Over over,
    @Setting(doc = "how long others are waited for", fallback = "{}") Patience patience)
    implements Common {
  /**
   * What a peer remembers.
   *
   * @param shares of each model in the mixture
   * @param parts how far each sample is each model's, while they are trained
   * @param at which model is being trained or averaged
   */
  @Named("fedem/mixture")
  public record Components(List<Weights> models, List<Double> shares, List<Floats> parts, int at)
      implements Memory {
    Components with(int slot, Weights weights) {
      return new Components(Slots.with(models, slot, weights), shares, parts, at);
    }

    Components at(int slot) {
      return new Components(models, shares, parts, slot);
    }

    Components expecting(List<Floats> newParts) {
      return new Components(models, ExpectationMaximization.shares(newParts), newParts, 0);
    }

    Components done() {
      return new Components(models, shares, List.of(), 0);
    }

    double[] exactShares() {
      return shares.stream().mapToDouble(Double::doubleValue).toArray();
    }

    Predictor predictor() {
      return new Predictor.Ensemble(Slots.weighted(models, exactShares()));
    }
  }

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return over.layers(new Steps(components, context), patience, 0, 0);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Components.class);
  }

  private record Steps(int slots, PeerContext context) implements ServedRecipe<Components> {
    @Override
    public Components initial() {
      return new Components(common(), ExpectationMaximization.uniform(slots), List.of(), 0);
    }

    @Override
    public Class<Components> memoryType() {
      return Components.class;
    }

    @Override
    public Components adopt(Components memory, List<Weights> common) {
      return new Components(common, memory.shares(), memory.parts(), memory.at());
    }

    @Override
    public Turn<Components> work(Components memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return Turn.ask(memory, Slots.losses(memory.models(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses ->
            train(
                memory.expecting(
                    ExpectationMaximization.responsibilities(losses.perMixture(), memory.shares())),
                round);
        case Result.Trained trained -> {
          Components next = memory.with(memory.at(), trained.weights()).at(memory.at() + 1);
          yield next.at() < slots
              ? train(next, round)
              : Turn.done(next.done(), deployed(next, round, Stage.TRAINED));
        }
        case Result.Answered _, Result.Mixed _, Result.Outputs _ -> Turn.done(memory);
      };
    }

    private Turn<Components> train(Components memory, int round) {
      return Turn.ask(
          memory,
          context
              .training()
              .round(
                  memory.models().get(memory.at()),
                  Objective.plain(),
                  DataView.own(DataView.Split.TRAIN)
                      .select(new DataView.Selection.Weighted(memory.parts().get(memory.at()))),
                  context.self(),
                  round));
    }

    private static Observation deployed(Components memory, int round, Stage stage) {
      return new Observation.Deployed(round, stage, memory.predictor(), Audience.SELF);
    }

    @Override
    public Parcel parcel(Components memory) {
      List<Item> items = new ArrayList<>();
      for (int slot = 0; slot < slots; slot++) {
        items.add(new Item(slot, memory.models().get(slot), context.samples()));
      }
      return new Parcel(items);
    }

    @Override
    public Turn<Components> merge(
        Components memory, int round, Exchange exchange, Optional<Result> last) {
      Components next = memory.at(0);
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        next = memory.with(memory.at(), mixed.weights()).at(memory.at() + 1);
      }
      return next.at() == slots
          ? Turn.done(next.at(0))
          : Turn.ask(
              next,
              new Ticket.Mix(
                  Mixtures.metropolis(next.models().get(next.at()), next.at(), exchange)));
    }

    @Override
    public Turn<Components> settle(Components memory, int round, Optional<Result> last) {
      return Turn.done(
              memory,
              new Observation.Measured(
                  round, Observation.Measured.CLUSTER, Slots.largest(memory.exactShares())),
              deployed(memory, round, Stage.MIXED))
          .reporting(Slots.held(context, round, memory.models()));
    }
  }
}
