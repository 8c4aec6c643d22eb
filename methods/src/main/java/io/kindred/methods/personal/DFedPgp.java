package io.kindred.methods.personal;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.OptimizerBuilder;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.LocalState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.PhaseResult;
import io.kindred.methods.rounds.ReceivedUpdate;
import io.kindred.methods.rounds.RoundAlgorithm;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A common body, averaged by push-sum, and a personal head (Liu et al., 2024, DFedPGP): a peer
 * trains its head, then its body, and distributes the body in equal parts to its neighbours and
 * itself. The head, which is the last layer, never leaves the peer.
 *
 * <p>Push-sum adds up bodies u and masses mu in shares that sum to one for each sender, and uses z
 * = u / mu. Here peers hold and send z with mu: received bodies are then mixed in shares that sum
 * to one for the receiver, which is the same sum. In place of a neighbour that did not send in time
 * the peer takes its own body and mass: if the mass were lost instead, it would shrink from round
 * to round, and steps, which are divided by it, would grow until training diverges.
 */
@Named(
    value = "dfedpgp",
    summary =
        "the body of the model is averaged by push-sum on a graph; each peer keeps its"
            + " own head")
public record DFedPgp(
    @Setting(
            doc = "epochs of the head, which precede those of the body",
            fallback = "1",
            min = 1,
            tune = "1..5")
        int headEpochs,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received body may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  private static final Purpose HEAD_BATCHES = new Purpose("head-batches");

  /**
   * State of a peer.
   *
   * @param weights body and head
   * @param mass push-sum mass of the body
   * @param headTrained whether the head has been trained in this round
   */
  @Named("dfedpgp/model")
  public record SplitModel(Weights weights, double mass, boolean headTrained)
      implements LocalState {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return new Gossip<>(new Algorithm(this, context), timeout, staleness).singleLayer();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(NeighbourUpdate.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(SplitModel.class);
  }

  /** The blocks of the last layer. */
  static List<Layout.Block> headBlocks(Layout layout) {
    String last = layerOf(layout.blocks().getLast());
    return layout.blocks().stream().filter(block -> layerOf(block).equals(last)).toList();
  }

  private static List<String> bodyBlockNames(Layout layout) {
    List<Layout.Block> head = headBlocks(layout);
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
  static Weights joinBodyAndHead(Weights body, Weights head) {
    float[] joined = body.copy();
    for (Layout.Block block : headBlocks(body.layout())) {
      System.arraycopy(head.copy(), block.offset(), joined, block.offset(), block.size());
    }
    return Weights.wrap(body.layout(), joined);
  }

  private record Algorithm(DFedPgp method, PeerContext context)
      implements RoundAlgorithm<SplitModel> {
    @Override
    public SplitModel initial() {
      return new SplitModel(context.initialWeights().apply(0), 1, false);
    }

    @Override
    public Class<SplitModel> stateType() {
      return SplitModel.class;
    }

    @Override
    public PhaseResult<SplitModel> work(SplitModel state, int round, Optional<Result> last) {
      if (!(last.isPresent() && last.get() instanceof Result.Trained trained)) {
        return PhaseResult.compute(
            new SplitModel(state.weights(), state.mass(), false), headTraining(state, round));
      }
      SplitModel next = new SplitModel(trained.weights(), state.mass(), true);
      // A model of one layer has a head only.
      boolean complete = state.headTrained() || bodyBlockNames(state.weights().layout()).isEmpty();
      return complete
          ? PhaseResult.done(next, Deployed.of(round, Stage.TRAINED, trained.weights()))
          : PhaseResult.compute(next, bodyTraining(next, round));
    }

    private Ticket headTraining(SplitModel state, int round) {
      List<String> names =
          DFedPgp.headBlocks(state.weights().layout()).stream().map(Layout.Block::name).toList();
      return new Ticket.Train(
          state.weights(),
          Objective.plain().onlyLayers(names),
          DataView.own(DataView.Split.TRAIN),
          context.training().optimizerAt(round),
          context.training().batch(),
          new Ticket.Duration.Epochs(method.headEpochs()),
          new StreamKey(HEAD_BATCHES, context.self().number(), round));
    }

    /** A step of u is one of z divided by the mass. */
    private Ticket bodyTraining(SplitModel state, int round) {
      Optimizer usual = context.training().optimizerAt(round);
      return new Ticket.Train(
          state.weights(),
          Objective.plain().onlyLayers(bodyBlockNames(state.weights().layout())),
          DataView.own(DataView.Split.TRAIN),
          OptimizerBuilder.from(usual).learningRate(usual.learningRate() / state.mass()).build(),
          context.training().batch(),
          new Ticket.Duration.Epochs(context.training().epochs()),
          new StreamKey(Purpose.BATCHES, context.self().number(), round));
    }

    @Override
    public boolean sharesAreSamples() {
      return false;
    }

    /**
     * The whole model with zeros in place of the head, so that all weights have the same layout.
     */
    @Override
    public ModelUpdate outgoingUpdate(SplitModel state) {
      Layout layout = state.weights().layout();
      Weights body =
          joinBodyAndHead(state.weights(), Weights.wrap(layout, new float[layout.size()]));
      return ModelUpdate.of(new SlotModel(0, body, state.mass()));
    }

    @Override
    public PhaseResult<SplitModel> merge(
        SplitModel state, int round, RoundUpdates updates, Optional<Result> last) {
      if (last.isPresent() && last.get() instanceof Result.Mixed mixed) {
        return PhaseResult.done(
            new SplitModel(
                joinBodyAndHead(mixed.weights(), state.weights()), mass(state, updates), false));
      }
      return PhaseResult.mix(state, 0, Observation.Weighting.MASS, mixture(state, updates));
    }

    private static double ownMass(SplitModel state, RoundUpdates updates) {
      int missing = Math.max(0, updates.degree() - updates.updates().size());
      return state.mass() * (1 + missing) / (1 + updates.degree());
    }

    private static double massOf(ReceivedUpdate update) {
      return update.update().models().getFirst().share() / (1 + update.degree());
    }

    private static double mass(SplitModel state, RoundUpdates updates) {
      double mass = ownMass(state, updates);
      for (ReceivedUpdate update : updates.updates()) {
        mass += massOf(update);
      }
      return mass;
    }

    private static Mixture mixture(SplitModel state, RoundUpdates updates) {
      double whole = mass(state, updates);
      List<MixturePart> parts = new ArrayList<>();
      parts.add(new MixturePart(state.weights(), ownMass(state, updates) / whole));
      for (ReceivedUpdate update : updates.updates()) {
        parts.add(
            new MixturePart(update.update().models().getFirst().weights(), massOf(update) / whole));
      }
      return new Mixture(parts);
    }

    @Override
    public PhaseResult<SplitModel> completeRound(
        SplitModel state, int round, Optional<Result> last) {
      return PhaseResult.done(state, Deployed.of(round, Stage.MIXED, state.weights()));
    }
  }
}
