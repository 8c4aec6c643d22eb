package io.kindred.methods.clusters;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Turn;
import java.util.List;
import java.util.Optional;

/**
 * Every peer holds all models, finds the one that fits its data best, trains that one and hands it
 * over; all of them take in what arrives for them (DFCA, section 3; IFCA with a server).
 *
 * @param local whether every peer draws starting points of its own
 * @param running whether models are averaged as they arrive
 * @param participation share of the peers that take part in a round
 */
record HardClusters(
    PeerContext context, int slots, boolean local, boolean running, double participation)
    implements ServedRecipe<HardClusters.Clusters> {
  /**
   * What a peer remembers.
   *
   * @param own the cluster it is in, -1 before it has looked
   * @param trained the cluster whose model it trained last
   * @param counts how many models each running average of this round holds beside the own one
   * @param at the slot that is being averaged
   */
  @Named("clusters/hard")
  record Clusters(List<Weights> models, int own, int trained, Ints counts, int at)
      implements Memory {
    Clusters with(int slot, Weights weights) {
      return new Clusters(Slots.with(models, slot, weights), own, trained, counts, at);
    }

    Clusters in(int cluster) {
      return new Clusters(models, cluster, trained, counts, at);
    }

    Clusters taking(int next) {
      return new Clusters(models, own, trained, counts, next);
    }

    Clusters counting(int slot, int arrived) {
      int[] more = counts.copy();
      more[slot] += arrived;
      return new Clusters(models, own, trained, Ints.wrap(more), at);
    }

    /** Its own model is trained, and nothing averaged into any yet. */
    Clusters trained(Weights weights) {
      return new Clusters(
          Slots.with(models, own, weights), own, own, Ints.wrap(new int[models.size()]), 0);
    }
  }

  @Override
  public Clusters initial() {
    int first = local ? slots * (1 + (int) context.self().number()) : 0;
    List<Weights> models = startingAt(first);
    return new Clusters(models, -1, 0, Ints.wrap(new int[slots]), 0);
  }

  @Override
  public Class<Clusters> memoryType() {
    return Clusters.class;
  }

  @Override
  public Clusters adopt(Clusters memory, List<Weights> common) {
    return new Clusters(common, memory.own(), memory.trained(), memory.counts(), memory.at());
  }

  @Override
  public boolean asTheyCome() {
    return running;
  }

  @Override
  public boolean takesPart(PeerId peer, int round) {
    return participation >= 1
        || context.streams().stream(Purpose.PARTICIPANTS, peer.number(), round).nextDouble()
            < participation;
  }

  @Override
  public Turn<Clusters> work(Clusters memory, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Trained trained) {
      return Turn.done(
          memory.trained(trained.weights()),
          Observation.Deployed.of(round, Stage.TRAINED, trained.weights()));
    }
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      return train(memory.in(Slots.lowest(losses.perMixture(), 0)), round);
    }
    return memory.own() < 0 ? Turn.ask(memory, look(memory)) : train(memory, round);
  }

  private static Ticket look(Clusters memory) {
    return Slots.losses(memory.models(), Ticket.Detail.MEAN);
  }

  private Turn<Clusters> train(Clusters memory, int round) {
    Weights from = memory.models().get(memory.own());
    return Turn.ask(memory, context.training().round(from, context.self(), round));
  }

  @Override
  public Parcel parcel(Clusters memory) {
    int slot = memory.trained();
    return Parcel.of(new Item(slot, memory.models().get(slot), context.samples()));
  }

  /**
   * Equations 7 and 8, with r counting from one: slot by slot, the mean of the own model and of all
   * that has come for it. What came while the last was being taken in is taken in together; so the
   * order of arrival makes no difference, nor whether they come one by one.
   */
  @Override
  public Turn<Clusters> merge(
      Clusters memory, int round, Exchange exchange, Optional<Result> last) {
    Clusters next = memory.taking(0);
    if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
      int slot = memory.at();
      next =
          memory
              .with(slot, mixed.weights())
              .counting(slot, exchange.items(slot).size())
              .taking(slot + 1);
    }
    for (int slot = next.at(); slot < slots; slot++) {
      List<Weights> arrived = exchange.items(slot).stream().map(Item::weights).toList();
      if (!arrived.isEmpty()) {
        Mixture mean = Mixtures.mean(next.models().get(slot), 1 + next.counts().get(slot), arrived);
        return Turn.ask(next.taking(slot), new Ticket.Mix(mean));
      }
    }
    return Turn.done(next.taking(0));
  }

  @Override
  public Turn<Clusters> settle(Clusters memory, int round, Optional<Result> last) {
    if (last.isPresent() && last.get() instanceof Result.Losses losses) {
      int own = Slots.lowest(losses.perMixture(), 0);
      return Turn.done(
              memory.in(own),
              new Observation.Measured(round, Observation.Measured.CLUSTER, own),
              Observation.Deployed.of(round, Stage.MIXED, memory.models().get(own)))
          .reporting(Slots.held(context, round, memory.models()));
    }
    return Turn.ask(memory, look(memory));
  }
}
