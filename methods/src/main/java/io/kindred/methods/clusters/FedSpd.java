package io.kindred.methods.clusters;

import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.Training;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Mixtures;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.Recipe;
import io.kindred.methods.rounds.Turn;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Soft clustering on a graph (FedSPD, section 4, algorithm 1): every sample of a peer belongs to
 * the cluster whose center has the lowest loss on it. In a round a peer draws a cluster by its
 * share of the samples, trains that center on them, sends it, and averages it with those of the
 * neighbours who trained the same. In the end the sum of the centers, weighted by shares, is
 * trained on all samples of the peer.
 */
@Named(
    value = "fedspd",
    summary = "soft clusters on a graph: one center a round, a personal phase at the end")
public record FedSpd(
    @Setting(doc = "centers, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(doc = "epochs of the last, personal phase", fallback = "10", min = 0) int finalEpochs,
    @Setting(
            doc = "whether received centers are matched to the own ones by cosine, not by number",
            fallback = "true")
        boolean matching,
    @Setting(
            doc =
                "which centers change in a round: only the one that the peer trained itself, or"
                    + " every one that it received, too",
            fallback = "trained")
        Update update,
    @Setting(
            doc =
                "whether every center starts at a point of its own (apart), or all at the same one"
                    + " (together); both are common to all peers",
            fallback = "apart")
        Start start,
    @Setting(doc = "noise on what is sent", fallback = "{}") Privacy privacy,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's center may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  private static final Purpose FIRST_ASSIGNMENT = new Purpose("first-assignment");
  private static final Purpose CLUSTER_CHOICE = new Purpose("cluster-choice");
  private static final Purpose PRIVACY = new Purpose("privacy");

  /** Where centers start: the paper does not say. */
  public enum Start {
    APART,
    TOGETHER
  }

  /**
   * Which centers change. Line 24 of algorithm 1 lets a peer change only the one that it trained;
   * the sentence under equation 1 has a center stay as it is only where nobody around trained it.
   */
  public enum Update {
    TRAINED,
    RECEIVED
  }

  /**
   * What a peer remembers.
   *
   * @param assigned the cluster of each of its training samples
   * @param own the cluster it trained last
   * @param sent that center as it may be sent, where that is something else
   * @param arrived the own cluster of each center that arrived in this round
   * @param at the center that is being averaged
   */
  @Named("fedspd/centers")
  public record Centers(
      List<Weights> models, Ints assigned, int own, Optional<Weights> sent, Ints arrived, int at)
      implements Memory {
    static Centers of(List<Weights> models, int[] assigned) {
      return new Centers(models, Ints.wrap(assigned), 0, Optional.empty(), Ints.of(), 0);
    }

    Centers with(int slot, Weights center) {
      return new Centers(Slots.with(models, slot, center), assigned, own, sent, arrived, at);
    }

    Centers choosing(int slot) {
      return new Centers(models, assigned, slot, Optional.empty(), Ints.of(), 0);
    }

    Centers assigning(int[] clusters) {
      return new Centers(models, Ints.wrap(clusters), own, sent, arrived, at);
    }

    Centers sending(Weights veiled) {
      return new Centers(models, assigned, own, Optional.of(veiled), arrived, at);
    }

    Centers meeting(Ints clusters) {
      return new Centers(models, assigned, own, sent, clusters, 0);
    }

    Centers averaging(int slot) {
      return new Centers(models, assigned, own, sent, arrived, slot);
    }

    /** How many neighbours trained the same in this round. */
    long alike() {
      return Arrays.stream(arrived.shared()).filter(cluster -> cluster == own).count();
    }

    double[] shares() {
      return Slots.shares(assigned.copy(), models.size());
    }
  }

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return new Gossip<>(new Steps(this, context), patience, staleness).alone();
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(
        List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX, Ticket.Kind.CALL));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Gossip.Offer.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(
        Centers.class,
        Matching.class,
        Matching.Matched.class,
        Privacy.Veil.class,
        Privacy.Veiled.class);
  }

  @Override
  public Stage lastStage() {
    return finalEpochs > 0 ? Stage.FINAL : Stage.MIXED;
  }

  private record Steps(FedSpd method, PeerContext context) implements Recipe<Centers> {
    @Override
    public Centers initial() {
      var random = context.streams().stream(FIRST_ASSIGNMENT, context.self().number(), 0);
      int[] assigned =
          IntStream.range(0, context.samples()).map(_ -> random.nextInt(slots())).toArray();
      return Centers.of(centers(), assigned);
    }

    private List<Weights> centers() {
      return switch (method.start()) {
        case APART -> startingAt(0);
        case TOGETHER -> Collections.nCopies(slots(), context.initialWeights().apply(0));
      };
    }

    @Override
    public Class<Centers> memoryType() {
      return Centers.class;
    }

    @Override
    public int slots() {
      return method.clusters();
    }

    /** Step 1; the first round trains twice as long (appendix B.1.1). */
    @Override
    public Turn<Centers> work(Centers memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        double lot =
            context.streams().stream(CLUSTER_CHOICE, context.self().number(), round).nextDouble();
        int chosen = Slots.draw(memory.shares(), lot);
        Training training = context.training();
        Training longer = round == 1 ? training.withEpochs(2 * training.epochs()) : training;
        return Turn.ask(
            memory.choosing(chosen),
            longer.round(
                memory.models().get(chosen),
                Objective.plain(),
                DataView.own(DataView.Split.TRAIN).select(of(memory, chosen)),
                context.self(),
                round));
      }
      return switch (last.get()) {
        case Result.Trained trained -> trained(memory, round, trained.weights());
        case Result.Answered(Privacy.Veiled veiled) -> Turn.done(veiled(memory, veiled.weights()));
        case Result.Answered _, Result.Losses _, Result.Mixed _, Result.Outputs _ ->
            Turn.done(memory);
      };
    }

    /**
     * The next change is told from what this one leaves, so nothing may be left in there that
     * nobody was told: the own part of the average is what was sent.
     */
    private Centers veiled(Centers memory, Weights sent) {
      return switch (method.privacy().of()) {
        case WEIGHTS -> memory.sending(sent);
        case CHANGE -> memory.with(memory.own(), sent).sending(sent);
      };
    }

    private static DataView.Selection of(Centers memory, int cluster) {
      int[] indices =
          IntStream.range(0, memory.assigned().size())
              .filter(sample -> memory.assigned().get(sample) == cluster)
              .toArray();
      return indices.length == 0
          ? new DataView.Selection.All()
          : new DataView.Selection.Some(Ints.wrap(indices));
    }

    private Turn<Centers> trained(Centers memory, int round, Weights weights) {
      Observation deployed = Observation.Deployed.of(round, Stage.TRAINED, weights);
      Centers next = memory.with(memory.own(), weights);
      Privacy privacy = method.privacy();
      if (!privacy.isOn()) {
        return Turn.done(next, deployed);
      }
      Weights origin =
          switch (privacy.of()) {
            case WEIGHTS -> Weights.wrap(weights.layout(), new float[weights.size()]);
            case CHANGE -> memory.models().get(memory.own());
          };
      double deviation = privacy.deviation(context.samples());
      Ticket veil =
          new Ticket.Call(
              new Privacy.Veil(
                  weights,
                  origin,
                  privacy.clip(),
                  deviation,
                  context.streams().seed(),
                  new StreamKey(PRIVACY, context.self().number(), round)));
      return Turn.ask(next, veil)
          .reporting(
              List.of(
                  new Observation.Measured(round, "noiseDeviation", deviation),
                  new Observation.Measured(round, "epsilonOfRound", privacy.spent(1)),
                  new Observation.Measured(round, "epsilonSoFar", privacy.spent(round)),
                  deployed));
    }

    /** Step 2: only the center that was trained. */
    @Override
    public Parcel parcel(Centers memory) {
      Weights center = memory.sent().orElse(memory.models().get(memory.own()));
      return Parcel.of(new Item(memory.own(), center, context.samples()));
    }

    /** Step 3, equation 1. */
    @Override
    public Turn<Centers> merge(
        Centers memory, int round, Exchange exchange, Optional<Result> last) {
      List<Item> items =
          exchange.arrivals().stream().flatMap(each -> each.parcel().items().stream()).toList();
      if (last.isEmpty()) {
        return method.matching() && slots() > 1 && !items.isEmpty()
            ? Turn.ask(
                memory,
                new Ticket.Call(
                    new Matching(memory.models(), items.stream().map(Item::weights).toList())))
            : average(memory.meeting(numbers(items)), items);
      }
      return switch (last.get()) {
        case Result.Answered(Matching.Matched matched) ->
            average(memory.meeting(matched.slots()), items);
        case Result.Mixed mixed ->
            average(memory.with(memory.at(), mixed.weights()).averaging(memory.at() + 1), items);
        case Result.Answered _, Result.Losses _, Result.Trained _, Result.Outputs _ ->
            Turn.done(memory);
      };
    }

    private static Ints numbers(List<Item> items) {
      return Ints.wrap(items.stream().mapToInt(Item::slot).toArray());
    }

    /** Goes through the centers that change, from where it is. */
    private Turn<Centers> average(Centers memory, List<Item> items) {
      for (int slot = memory.at(); slot < slots(); slot++) {
        if (slot != memory.own() && method.update() == Update.TRAINED) {
          continue;
        }
        int cluster = slot;
        List<Weights> same =
            IntStream.range(0, items.size())
                .filter(item -> memory.arrived().get(item) == cluster)
                .mapToObj(item -> items.get(item).weights())
                .toList();
        if (!same.isEmpty()) {
          return Turn.ask(memory.averaging(slot), new Ticket.Mix(closed(memory, slot, same)));
        }
      }
      return Turn.done(memory);
    }

    /** The mean over those who trained the center; the peer is one of them or is not. */
    private static Mixture closed(Centers memory, int slot, List<Weights> others) {
      return slot == memory.own()
          ? Mixtures.mean(memory.models().get(slot), others)
          : Mixture.mean(others);
    }

    /** Step 4, and equation 2 for what the peer would deploy now. */
    @Override
    public Turn<Centers> settle(Centers memory, int round, Optional<Result> last) {
      if (last.isEmpty()) {
        return Turn.ask(memory, Slots.losses(memory.models(), Ticket.Detail.PER_SAMPLE));
      }
      return switch (last.get()) {
        case Result.Losses losses -> {
          Centers next =
              memory.assigned().size() == 0
                  ? memory
                  : memory.assigning(Slots.lowest(losses.perMixture()));
          yield Turn.ask(next, weighted(next));
        }
        case Result.Mixed mixed -> {
          double[] shares = memory.shares();
          yield Turn.done(
                  memory,
                  new Observation.Measured(
                      round, Observation.Measured.CLUSTER, Slots.largest(shares)),
                  new Observation.Measured(round, "largestShare", shares[Slots.largest(shares)]),
                  // Section 6.3: a multicast sends one model a round, point to point it takes
                  // one for every neighbour that trained the same cluster.
                  new Observation.Measured(round, "pointToPointModels", memory.alike()),
                  Observation.Deployed.of(round, Stage.MIXED, mixed.weights()))
              .reporting(sorted(memory, round))
              .reporting(Slots.held(context, round, memory.models()));
        }
        case Result.Answered _, Result.Trained _, Result.Outputs _ -> Turn.done(memory);
      };
    }

    private List<Observation> sorted(Centers memory, int round) {
      return round == context.rounds()
          ? List.of(new Observation.Sorted(round, memory.assigned()))
          : List.of();
    }

    private static Ticket weighted(Centers memory) {
      double[] shares = memory.shares();
      // Who has no samples has no shares either, and takes the first center.
      return new Ticket.Mix(
          shares[Slots.largest(shares)] > 0
              ? Slots.weighted(memory.models(), shares)
              : Mixture.of(memory.models().getFirst()));
    }

    /** The last step: the weighted sum, trained on all samples. */
    @Override
    public Turn<Centers> finish(Centers memory, Optional<Result> last) {
      if (method.finalEpochs() == 0) {
        return Turn.done(memory);
      }
      if (last.isEmpty()) {
        return Turn.ask(memory, weighted(memory));
      }
      return switch (last.get()) {
        case Result.Mixed mixed ->
            Turn.ask(
                memory,
                context
                    .training()
                    .withEpochs(method.finalEpochs())
                    .round(mixed.weights(), context.self(), context.rounds() + 1));
        case Result.Trained trained ->
            Turn.done(
                memory, Observation.Deployed.of(context.rounds(), Stage.FINAL, trained.weights()));
        case Result.Answered _, Result.Losses _, Result.Outputs _ -> Turn.done(memory);
      };
    }
  }
}
