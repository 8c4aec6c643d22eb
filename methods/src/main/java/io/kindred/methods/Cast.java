package io.kindred.methods;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Trainer;
import io.kindred.protocol.overlay.Candidacy;
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
public record Cast(
    Method method,
    Holdings holdings,
    Architecture architecture,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> start) {
  /** The machines of every peer, and of the server if the method has one. */
  public List<Peer> all() {
    IntFunction<Weights> starts = starts();
    LongFunction<Candidacy> candidacies = candidacies();
    List<Peer> participants = new ArrayList<>();
    for (int number = 0; number < size(); number++) {
      participants.add(peer(number, starts, candidacies));
    }
    return participants;
  }

  /** How many take part, a server counted; it has the last number. */
  public int size() {
    return holdings.peers().size() + (method.hasServer() ? 1 : 0);
  }

  /** The machines of one peer alone. */
  public Peer peer(int number) {
    return peer(number, starts(), candidacies());
  }

  private LongFunction<Candidacy> candidacies() {
    return Candidacy.derived(seed, holdings.peers().size());
  }

  private Peer peer(int number, IntFunction<Weights> starts, LongFunction<Candidacy> candidacies) {
    return new Peer(method.layers(context(number, starts, candidacies)));
  }

  private PeerContext context(
      int number, IntFunction<Weights> starts, LongFunction<Candidacy> candidacies) {
    int peers = holdings.peers().size();
    boolean serves = number == peers;
    return new PeerContext(
        new PeerId(number),
        serves ? PeerContext.Role.SERVER : PeerContext.Role.PEER,
        new PeerId(peers),
        serves ? LongStream.range(0, peers).mapToObj(PeerId::new).toList() : List.of(),
        peers,
        rounds,
        training,
        serves ? 0 : holdings.peers().get(number).train().size(),
        serves ? Ints.of() : labelCounts(number),
        new RandomStreams(seed),
        starts,
        () -> candidacies.apply(number));
  }

  /**
   * The first starting point is everybody's and kept. Of the others there may be as many as there
   * are models, where every peer starts elsewhere: they are shared while somebody holds them, then
   * let go, and drawn anew should they be asked for again.
   */
  private IntFunction<Weights> starts() {
    Weights first = firstStart();
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
  public Weights firstStart() {
    return start(0);
  }

  private Weights start(int variant) {
    RandomStreams streams = new RandomStreams(seed);
    return start.apply(architecture.initial(streams.stream(Purpose.INITIAL_WEIGHTS, 0, variant)));
  }

  private Ints labelCounts(int peer) {
    Ints train = holdings.peers().get(peer).train();
    int[] counts = new int[holdings.dataset().classes()];
    for (int i = 0; i < train.size(); i++) {
      counts[holdings.dataset().train().labels().get(train.get(i))]++;
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
    return () -> new Trainer(engine.create(architecture), holdings, streams);
  }
}
