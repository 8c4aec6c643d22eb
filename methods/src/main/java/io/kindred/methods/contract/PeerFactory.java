package io.kindred.methods.contract;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.wire.Wire;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * Who takes part in a run, apart from the world around them. Both shells make their peers here, so
 * that a peer knows the same and starts from the same weights wherever it lives.
 *
 * @param start what becomes of weights that were drawn: pre-trained ones may take their place
 */
public record PeerFactory(
    Method method,
    PeerDatasets datasets,
    Architecture architecture,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> start) {
  /** The machines of every peer, and of the server if the method has one. */
  public List<Peer> allPeers() {
    IntFunction<Weights> starts = initialWeights();
    LongFunction<ElectionIdentity> identities = electionIdentities();
    List<Peer> participants = new ArrayList<>();
    for (int number = 0; number < size(); number++) {
      participants.add(peer(number, starts, identities));
    }
    return participants;
  }

  /** The same run over other samples. */
  public PeerFactory withDatasets(PeerDatasets others) {
    return new PeerFactory(method, others, architecture, training, rounds, seed, start);
  }

  /** How many take part, a server counted; it has the last number. */
  public int size() {
    return datasets.splits().size() + (method.hasServer() ? 1 : 0);
  }

  /** The machines of one peer alone. */
  public Peer peer(int number) {
    return peer(number, initialWeights(), electionIdentities());
  }

  private LongFunction<ElectionIdentity> electionIdentities() {
    return ElectionIdentity.fromSeed(seed, datasets.splits().size());
  }

  private Peer peer(
      int number, IntFunction<Weights> starts, LongFunction<ElectionIdentity> identities) {
    return new Peer(method.layers(context(number, starts, identities)));
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
        peers,
        rounds,
        training,
        serves ? 0 : datasets.splits().get(number).train().size(),
        serves ? Ints.of() : labelCounts(number),
        new RandomStreams(seed),
        starts,
        () -> identities.apply(number));
  }

  /**
   * The first starting point is everybody's and kept. Of the others there may be as many as there
   * are models, where every peer starts elsewhere: they are shared while somebody holds them, then
   * let go, and drawn anew should they be asked for again.
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

  /** Where everybody starts, unless a method asks for other places. */
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
    return new Wire(records);
  }

  /** Makes trainers, one for each thread that asks. */
  public Supplier<Trainer> trainers(EngineChoice engine) {
    RandomStreams streams = new RandomStreams(seed);
    return () -> new EngineTrainer(engine.create(architecture), datasets, streams);
  }
}
