package io.kindred.methods.personal;

import io.kindred.core.Message;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.Arrival;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Memory;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.Recipe;
import io.kindred.methods.rounds.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A common body and a head of one's own, the body averaged by push-sum (Liu et al., 2024, DFedPGP):
 * a peer trains its head, then its body, and gives the body away in equal parts to its neighbours
 * and itself. The head, which is the last layer, never leaves it.
 *
 * <p>Push-sum adds up bodies u and masses mu in shares that sum to one for each sender, and uses z
 * = u / mu. Here peers hold and send z with mu: what arrives is then mixed in shares that sum to
 * one for the receiver, which is the same sum. Of who did not send in time the peer takes its own
 * in place: were the mass lost instead, it would shrink from round to round, and steps, which are
 * divided by it, would grow until training diverges.
 */
@Named(
    value = "dfedpgp",
    summary = "a body averaged by push-sum on a graph, and a head of one's own")
public record DFedPgp(
    @Setting(doc = "epochs of the head, before those of the body", fallback = "1", min = 1)
        int headEpochs,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's body may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  private static final Purpose HEAD_BATCHES = new Purpose("head-batches");

  /**
   * What a peer remembers.
   *
   * @param weights body and head
   * @param mass of the body
   * @param headTrained whether the head of this round is trained
   */
  @Named("dfedpgp/model")
  public record Split(Weights weights, double mass, boolean headTrained) implements Memory {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return new Gossip<>(new Steps(this, context), patience, staleness).alone();
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
    return List.of(Split.class);
  }

  /** The blocks of the last layer. */
  static List<Layout.Block> head(Layout layout) {
    String last = layerOf(layout.blocks().getLast());
    return layout.blocks().stream().filter(block -> layerOf(block).equals(last)).toList();
  }

  private static List<String> bodyNames(Layout layout) {
    List<Layout.Block> head = head(layout);
    return layout.blocks().stream()
        .filter(block -> !head.contains(block))
        .map(Layout.Block::name)
        .toList();
  }

  private static String layerOf(Layout.Block block) {
    int dot = block.name().lastIndexOf('.');
    return dot < 0 ? block.name() : block.name().substring(0, dot);
  }

  /** One model's body with another's head. */
  static Weights join(Weights body, Weights head) {
    float[] joined = body.copy();
    for (Layout.Block block : head(body.layout())) {
      System.arraycopy(head.copy(), block.offset(), joined, block.offset(), block.size());
    }
    return Weights.wrap(body.layout(), joined);
  }

  private record Steps(DFedPgp method, PeerContext context) implements Recipe<Split> {
    @Override
    public Split initial() {
      return new Split(context.initialWeights().apply(0), 1, false);
    }

    @Override
    public Class<Split> memoryType() {
      return Split.class;
    }

    @Override
    public Turn<Split> work(Split memory, int round, Optional<Result> last) {
      if (!(last.isPresent() && last.get() instanceof Result.Trained trained)) {
        return Turn.ask(new Split(memory.weights(), memory.mass(), false), head(memory, round));
      }
      Split next = new Split(trained.weights(), memory.mass(), true);
      // A model of one layer is all head.
      boolean through = memory.headTrained() || bodyNames(memory.weights().layout()).isEmpty();
      return through
          ? Turn.done(next, Deployed.of(round, Stage.TRAINED, trained.weights()))
          : Turn.ask(next, body(next, round));
    }

    private Ticket head(Split memory, int round) {
      List<String> names =
          DFedPgp.head(memory.weights().layout()).stream().map(Layout.Block::name).toList();
      return new Ticket.Train(
          memory.weights(),
          Objective.plain().onlyLayers(names),
          DataView.own(DataView.Split.TRAIN),
          context.training().optimizerAt(round),
          context.training().batch(),
          new Ticket.Duration.Epochs(method.headEpochs()),
          new StreamKey(HEAD_BATCHES, context.self().number(), round));
    }

    /** A step of u is one of z divided by the mass. */
    private Ticket body(Split memory, int round) {
      Optimizer usual = context.training().optimizerAt(round);
      return new Ticket.Train(
          memory.weights(),
          Objective.plain().onlyLayers(bodyNames(memory.weights().layout())),
          DataView.own(DataView.Split.TRAIN),
          new Optimizer(
              usual.rule(),
              usual.learningRate() / memory.mass(),
              usual.weightDecay(),
              usual.clip()),
          context.training().batch(),
          new Ticket.Duration.Epochs(context.training().epochs()),
          new StreamKey(Purpose.BATCHES, context.self().number(), round));
    }

    /** The whole model with nothing in the place of the head, so that all weights look alike. */
    @Override
    public Parcel parcel(Split memory) {
      Layout layout = memory.weights().layout();
      Weights body = join(memory.weights(), Weights.wrap(layout, new float[layout.size()]));
      return Parcel.of(new Item(0, body, memory.mass()));
    }

    @Override
    public Turn<Split> merge(Split memory, int round, Exchange exchange, Optional<Result> last) {
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        return Turn.done(
            new Split(join(mixed.weights(), memory.weights()), mass(memory, exchange), false));
      }
      return Turn.ask(memory, new Ticket.Mix(mixture(memory, exchange)));
    }

    private static double ownMass(Split memory, Exchange exchange) {
      int missing = Math.max(0, exchange.degree() - exchange.arrivals().size());
      return memory.mass() * (1 + missing) / (1 + exchange.degree());
    }

    private static double massOf(Arrival arrival) {
      return arrival.parcel().items().getFirst().share() / (1 + arrival.degree());
    }

    private static double mass(Split memory, Exchange exchange) {
      double mass = ownMass(memory, exchange);
      for (Arrival arrival : exchange.arrivals()) {
        mass += massOf(arrival);
      }
      return mass;
    }

    private static Mixture mixture(Split memory, Exchange exchange) {
      double whole = mass(memory, exchange);
      List<Part> parts = new ArrayList<>();
      parts.add(new Part(memory.weights(), ownMass(memory, exchange) / whole));
      for (Arrival arrival : exchange.arrivals()) {
        parts.add(new Part(arrival.parcel().items().getFirst().weights(), massOf(arrival) / whole));
      }
      return new Mixture(parts);
    }

    @Override
    public Turn<Split> settle(Split memory, int round, Optional<Result> last) {
      return Turn.done(memory, Deployed.of(round, Stage.MIXED, memory.weights()));
    }
  }
}
