package io.kindred.node;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.synthetic.Glyphs;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.partition.Dirichlet;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.WireSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** A few nodes on one machine, each with a few glyphs and with all others as neighbours. */
public final class TinyNetwork implements AutoCloseable {
  public static final String NETWORK = "tiny";
  private static final Method GOSSIP = new Dfedavgm(0.5, TimeoutPolicy.of(60), 0);

  private final Path home;
  private final int peers;
  private final int rounds;
  private final Method method;
  private Training training = new Training(1, 8, 0.05, 0, 0);
  private final Authority authority;
  private final List<Node> nodes = new ArrayList<>();
  private final SortedMap<PeerId, InetSocketAddress> addresses = new TreeMap<>();
  private final SortedMap<Integer, Trainer> externalTrainers = new TreeMap<>();
  private Packing packing = Packing.NONE;
  private LinkSettings links = LinkSettings.NONE;
  private final SortedMap<Integer, List<PeerId>> relays = new TreeMap<>();
  private final SortedSet<Integer> notRelaying = new TreeSet<>();
  private double gatherSeconds = 20;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  public TinyNetwork(Path home, int peers, int rounds) {
    this(home, peers, rounds, GOSSIP);
  }

  public TinyNetwork(Path home, int peers, int rounds, Method method) {
    this.home = home;
    this.method = method;
    this.peers = peers;
    this.rounds = rounds;
    this.authority = Authority.create(home.resolve("authority"));
    for (int number = 0; number < participants(); number++) {
      identity("identity-" + number, authority, new Member(NETWORK, new PeerId(number)));
    }
  }

  /** Creates an identity in a folder of that name, signed by any authority. */
  public Identity identity(String name, Authority signer, Member member) {
    Path folder = home.resolve(name);
    Identity.create(folder);
    signer.issue(folder, member);
    return Identity.read(folder);
  }

  public Authority authority() {
    return authority;
  }

  public Identity identity(int number) {
    return Identity.read(home.resolve("identity-" + number));
  }

  private int participants() {
    return peers + (method.hasServer() ? 1 : 0);
  }

  public static PeerFactory peerFactory(int peers, int rounds) {
    return peerFactory(peers, rounds, GOSSIP, new Training(1, 8, 0.05, 0, 0));
  }

  private static PeerFactory peerFactory(int peers, int rounds, Method method, Training training) {
    RandomStreams streams = new RandomStreams(1);
    Dataset dataset = new Glyphs(40 * peers, 50, 4, 2, 1, 0.1, 0).load(streams, DataFiles.NONE);
    Ints labels = dataset.train().labels();
    List<Holdout.PeerSplit> split = new ArrayList<>();
    for (Ints share :
        new Dirichlet(1, 10).assign(labels, 4, peers, streams.stream(Purpose.PARTITION, 0, 0))) {
      split.add(
          Holdout.split(
              share, labels, 0.2, 0.2, streams.stream(Purpose.HOLD_OUT, split.size(), 0)));
    }
    return new PeerFactory(
        method,
        new PeerDatasets(dataset, split),
        new Softmax().sizedFor(dataset),
        training,
        rounds,
        1,
        UnaryOperator.identity());
  }

  /** Hides a node behind a relay. */
  public void hideBehindRelay(int number, int relay) {
    hideBehindRelays(number, List.of(new PeerId(relay)));
  }

  /** The same with several relays to choose from. */
  public void hideBehindRelays(int number, List<PeerId> possible) {
    relays.put(number, possible);
  }

  /** Makes a node relay messages to nobody. */
  public void relayNothing(int number) {
    notRelaying.add(number);
  }

  private Limits limits(int number) {
    Limits common = Limits.DEFAULTS;
    return new Limits(
        common.messageMegabytes(),
        common.messageSeconds(),
        common.messagesPerSecond(),
        common.weightsRms(),
        common.muteSeconds(),
        notRelaying.contains(number) ? 0 : common.relayedMembers());
  }

  /** Makes all nodes send weights in another form. */
  public void usePacking(Packing other) {
    packing = other;
  }

  /** Makes all nodes measure their links, and shortens the wait for neighbours. */
  public void measureLinks(LinkSettings settings) {
    links = settings;
    gatherSeconds = 0.5;
  }

  public PeerFactory peerFactory() {
    return peerFactory(peers, rounds, method, training);
  }

  /** Lets all nodes train with other settings; call this before the nodes start. */
  public void useTraining(Training other) {
    training = other;
  }

  /** Lets an external trainer compute a node's tickets. */
  public void useTrainer(int number, Trainer other) {
    externalTrainers.put(number, other);
  }

  public NodePlan plan(int number, Identity identity, int port) {
    Trainer other = externalTrainers.get(number);
    return new NodePlan(
        peerFactory(),
        number,
        new NodePlan.Computing(other == null ? peerFactory().trainers(new Jvm()) : () -> other, 1),
        identity,
        new NodePlan.Reachability(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            Optional.empty(),
            relays.getOrDefault(number, List.of())),
        new NodePlan.Output(folder(number), true),
        new MessagingSettings(
            gatherSeconds, 20, limits(number), packing, links, WireSettings.DEFAULTS),
        TaskAgreement.none());
  }

  public Path folder(int number) {
    return home.resolve("run-" + number);
  }

  /** Opens all nodes, then starts them: only then are all ports known. */
  public void start() {
    for (int number = 0; number < participants(); number++) {
      open(number, 0);
    }
    for (int number = 0; number < participants(); number++) {
      nodes.get(number).start(neighbours(number));
    }
  }

  /** The same, but each node gets the address of one member only. */
  public void startKnowing(int member) {
    for (int number = 0; number < participants(); number++) {
      open(number, 0);
    }
    for (int number = 0; number < participants(); number++) {
      SortedMap<PeerId, InetSocketAddress> one = neighbours(number);
      one.keySet().retainAll(List.of(new PeerId(member)));
      nodes.get(number).start(one);
    }
  }

  public Node open(int number, int port) {
    Node node =
        new Node(
            plan(number, identity(number), port), NodeListener.NONE, NodeLog.ofTexts(log::add));
    if (number < nodes.size()) {
      nodes.set(number, node);
    } else {
      nodes.add(node);
    }
    addresses.put(
        new PeerId(number), new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
    return node;
  }

  /** Opens and starts a node again at its former port. */
  public Node restart(int number) {
    Node node = open(number, nodes.get(number).port());
    node.start(neighbours(number));
    return node;
  }

  public SortedMap<PeerId, InetSocketAddress> neighbours(int number) {
    SortedMap<PeerId, InetSocketAddress> others = new TreeMap<>(addresses);
    others.remove(new PeerId(number));
    return others;
  }

  public Node node(int number) {
    return nodes.get(number);
  }

  public List<Node> nodes() {
    return nodes;
  }

  public List<String> log() {
    synchronized (log) {
      return List.copyOf(log);
    }
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
