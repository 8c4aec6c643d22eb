package io.kindred.simulator;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Operations;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.Method;
import io.kindred.methods.PeerContext;
import io.kindred.methods.Training;
import io.kindred.protocol.wire.Wire;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * A method, data and a world, from which the scene of a run follows. Weights that were drawn go
 * through {@code start}, which may put pre-trained ones in their place.
 */
public record Setup(
    Method method,
    Holdings holdings,
    Architecture architecture,
    World world,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> start) {
  /** Models start as they are drawn. */
  public Setup(
      Method method,
      Holdings holdings,
      Architecture architecture,
      World world,
      Training training,
      int rounds,
      long seed) {
    this(method, holdings, architecture, world, training, rounds, seed, UnaryOperator.identity());
  }

  /** The machines of every peer, and of the server if the method has one. */
  public Scene scene() {
    int peers = holdings.peers().size();
    IntFunction<Weights> starts = starts();
    List<Peer> participants = new ArrayList<>();
    for (int i = 0; i < peers + (method.hasServer() ? 1 : 0); i++) {
      participants.add(new Peer(method.layers(context(i, peers, starts))));
    }
    Operations operations = new Operations(architecture, holdings);
    return new Scene(participants, world, operations::of, wire(), rounds, method.measuresLinks());
  }

  private PeerContext context(int number, int peers, IntFunction<Weights> starts) {
    boolean serves = number == peers;
    return new PeerContext(
        new PeerId(number),
        serves ? PeerContext.Role.SERVER : PeerContext.Role.PEER,
        new PeerId(peers),
        serves ? LongStream.range(0, peers).mapToObj(PeerId::new).toList() : List.of(),
        rounds,
        training,
        serves ? 0 : holdings.peers().get(number).train().size(),
        serves ? Ints.of() : labelCounts(number),
        new RandomStreams(seed),
        starts);
  }

  /** Each starting point is drawn once and shared by everybody. */
  private IntFunction<Weights> starts() {
    RandomStreams streams = new RandomStreams(seed);
    Map<Integer, Weights> known = new TreeMap<>();
    return variant ->
        known.computeIfAbsent(
            variant,
            number ->
                start.apply(
                    architecture.initial(streams.stream(Purpose.INITIAL_WEIGHTS, 0, number))));
  }

  private Ints labelCounts(int peer) {
    Ints train = holdings.peers().get(peer).train();
    int[] counts = new int[holdings.dataset().classes()];
    for (int i = 0; i < train.size(); i++) {
      counts[holdings.dataset().train().labels().get(train.get(i))]++;
    }
    return Ints.wrap(counts);
  }

  private Wire wire() {
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
