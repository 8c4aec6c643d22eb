package io.kindred.methods.contract;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.PictureAugmentation;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.robust.RobustRules;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.wire.Wire;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * Creates the participants of a run, independently of their environment. Simulator and node both
 * create their peers here, so that a peer has the same context and initial weights in both.
 *
 * @param start applied to drawn initial weights; may replace them by pre-trained weights
 * @param sentForm the weights that other peers receive when a peer sends some
 * @param choices the neighbours of each peer in each direction; empty for all in both
 * @param capacities how much each peer can serve others, more is better; empty if that is unknown,
 *     so that all count the same
 * @param open whether nodes join and leave: then no peer knows how many there are, and the data
 *     sets hold the samples of one peer only
 * @param elections the keys that peers draw and check election scores with; if empty, they follow
 *     from the seed, as in a simulation
 * @param conduct the rule of mixing, and hostile peers
 */
@Buildable
public record PeerFactory(
    Method method,
    PeerDatasets datasets,
    Architecture architecture,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> start,
    UnaryOperator<Weights> sentForm,
    List<NeighbourChoice> choices,
    List<Double> capacities,
    boolean open,
    Optional<LongFunction<ElectionIdentity>> elections,
    Conduct conduct) {
  public PeerFactory {
    choices = List.copyOf(choices);
    capacities = List.copyOf(capacities);
    // Refuses samples that cannot be augmented before a run writes anything.
    augmentation(training, datasets);
  }

  /** A factory of peers whose weights arrive as they are. */
  public PeerFactory(
      Method method,
      PeerDatasets datasets,
      Architecture architecture,
      Training training,
      int rounds,
      long seed,
      UnaryOperator<Weights> start) {
    this(
        method,
        datasets,
        architecture,
        training,
        rounds,
        seed,
        start,
        UnaryOperator.identity(),
        List.of(),
        List.of(),
        false,
        Optional.empty(),
        Conduct.HONEST);
  }

  /** All peers with their machines, and the server if the method has one. */
  public List<Peer> allPeers() {
    IntFunction<Weights> starts = initialWeights();
    LongFunction<ElectionIdentity> identities = electionIdentities();
    List<Peer> participants = new ArrayList<>();
    for (int number = 0; number < size(); number++) {
      participants.add(peer(number, starts, identities));
    }
    return participants;
  }

  /** The same factory with other datasets. */
  public PeerFactory withDatasets(PeerDatasets others) {
    return PeerFactoryBuilder.from(this).datasets(others).build();
  }

  /** The same factory of peers whose weights arrive in another form, such as rounded. */
  public PeerFactory withSentForm(UnaryOperator<Weights> other) {
    return PeerFactoryBuilder.from(this).sentForm(other).build();
  }

  /** The same factory of peers that exchange models in one direction with some neighbours. */
  public PeerFactory withChoices(List<NeighbourChoice> others) {
    return PeerFactoryBuilder.from(this).choices(others).build();
  }

  /** The same factory of peers whose devices can serve others to different degrees. */
  public PeerFactory withCapacities(List<Double> others) {
    return PeerFactoryBuilder.from(this).capacities(others).build();
  }

  /** The same factory for a network that nodes join and leave. */
  public PeerFactory withOpenMembership() {
    return PeerFactoryBuilder.from(this).open(true).build();
  }

  /** The same factory of peers that draw and check election scores with other keys. */
  public PeerFactory withElections(LongFunction<ElectionIdentity> others) {
    return PeerFactoryBuilder.from(this).elections(Optional.of(others)).build();
  }

  /** Number of participants, including the server, which has the last number. */
  public int size() {
    return datasets.splits().size() + (method.hasServer() ? 1 : 0);
  }

  /** One peer with its machines. */
  public Peer peer(int number) {
    return peer(number, initialWeights(), electionIdentities());
  }

  private LongFunction<ElectionIdentity> electionIdentities() {
    return elections.orElseGet(() -> ElectionIdentity.fromSeed(seed, datasets.splits().size()));
  }

  private Peer peer(
      int number, IntFunction<Weights> starts, LongFunction<ElectionIdentity> identities) {
    PeerContext honest = context(number, starts, identities);
    UnaryOperator<Weights> hostileForm = conduct.hostility().sentForm(honest);
    PeerContext context =
        PeerContextBuilder.from(honest)
            .sentForm(weights -> sentForm.apply(hostileForm.apply(weights)))
            .build();
    List<PeerLayer<?>> layers = method.layers(context);
    List<InterceptedLayer<?>> interceptors = new ArrayList<>(KeptVelocities.layers(training));
    interceptors.addAll(
        conduct.layers(
            method,
            context,
            layers.stream().map(PeerLayer::component).toList(),
            number < datasets.splits().size()
                ? datasets.splits().get(number).validation().size()
                : 0));
    return new Peer(layers, interceptors);
  }

  /** The same factory of peers with another rule of mixing, or with hostile peers among them. */
  public PeerFactory withConduct(Conduct other) {
    return PeerFactoryBuilder.from(this).conduct(other).build();
  }

  /** The kinds of tickets that the peers emit; a node refuses all other kinds. */
  public SortedSet<Ticket.Kind> ticketKinds() {
    return conduct.ticketKinds(method);
  }

  private PeerContext context(
      int number, IntFunction<Weights> starts, LongFunction<ElectionIdentity> identities) {
    int peers = datasets.splits().size();
    boolean serves = number == peers;
    return new PeerContext(
        new PeerId(number),
        serves ? PeerContext.Role.SERVER : PeerContext.Role.PEER,
        new PeerId(peers),
        serves ? LongStream.range(0, peers).mapToObj(PeerId::new).toList() : List.of(),
        open ? OptionalInt.empty() : OptionalInt.of(peers),
        rounds,
        training,
        serves ? 0 : datasets.splits().get(number).train().size(),
        serves ? Ints.of() : labelCounts(number),
        new RandomStreams(seed),
        starts,
        () -> identities.apply(number),
        sentForm,
        number < choices.size() ? Optional.of(choices.get(number)) : Optional.empty(),
        number < capacities.size() ? capacities.get(number) : 1);
  }

  /**
   * Variant 0 is common to all peers and is kept. If every peer starts from weights of its own,
   * there are as many other variants as models: they are shared through weak references while a
   * peer holds them, and drawn again when requested later.
   */
  private IntFunction<Weights> initialWeights() {
    Weights first = commonInitialWeights();
    Map<Integer, WeakReference<Weights>> others = new TreeMap<>();
    return variant -> {
      if (variant == 0) {
        return first;
      }
      WeakReference<Weights> last = others.get(variant);
      Weights shared = last == null ? null : last.get();
      if (shared == null) {
        shared = start(variant);
        others.put(variant, new WeakReference<>(shared));
      }
      return shared;
    };
  }

  /** The initial weights of all peers, unless a method asks for other variants. */
  public Weights commonInitialWeights() {
    return start(0);
  }

  private Weights start(int variant) {
    RandomStreams streams = new RandomStreams(seed);
    return start.apply(
        architecture.initialWeights(streams.stream(Purpose.INITIAL_WEIGHTS, 0, variant)));
  }

  private Ints labelCounts(int peer) {
    Ints train = datasets.splits().get(peer).train();
    int[] counts = new int[datasets.dataset().classes()];
    for (int i = 0; i < train.size(); i++) {
      counts[datasets.dataset().train().labels().get(train.get(i))]++;
    }
    return Ints.wrap(counts);
  }

  /** A codec that knows every record that the machines use. */
  public Wire wire() {
    List<Class<?>> records = new ArrayList<>(method.messages());
    records.addAll(method.otherRecords());
    records.addAll(RobustRules.records());
    return new Wire(records);
  }

  /** Creates trainers, one for each thread. */
  public Supplier<Trainer> trainers(EngineChoice engine) {
    RandomStreams streams = new RandomStreams(seed);
    Optional<PictureAugmentation> augmentation = augmentation(training, datasets);
    return () -> new EngineTrainer(engine.create(architecture), datasets, streams, augmentation);
  }

  private static Optional<PictureAugmentation> augmentation(
      Training training, PeerDatasets datasets) {
    return training.augment()
        ? Optional.of(PictureAugmentation.of(datasets.dataset().shape()))
        : Optional.empty();
  }
}
