package io.kindred.methods.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.ElectionIdentity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Drives the machines of one peer by hand, one event at a time; models have two weights. */
public final class Driver {
  public static final Training TRAINING = new Training(2, 8, 0.1, 0.25, 0.01);
  public static final PeerId SERVER = new PeerId(10);
  public static final int ROUNDS = 3;
  public static final int SAMPLES = 30;

  private final Peer peer;
  private PeerState state;
  private long tick;

  public Driver(Method method, PeerContext context) {
    peer = new Peer(method.layers(context), KeptVelocities.layers(context.training()));
    state = peer.initial();
  }

  public static Driver peer(Method method, long self) {
    return new Driver(method, peerContext(self));
  }

  public static PeerContext peerContext(long self) {
    return peerContext(self, TRAINING);
  }

  public static PeerContext peerContext(long self, Training training) {
    return context(new PeerId(self), PeerContext.Role.PEER, List.of(), training, SAMPLES);
  }

  /** The context of a peer with so many training samples. */
  public static PeerContext peerContext(long self, int samples) {
    return context(new PeerId(self), PeerContext.Role.PEER, List.of(), TRAINING, samples);
  }

  public static Driver server(Method method, long... peers) {
    return new Driver(method, serverContext(peers));
  }

  public static PeerContext serverContext(long... peers) {
    return context(SERVER, PeerContext.Role.SERVER, ids(peers), TRAINING, SAMPLES);
  }

  private static PeerContext context(
      PeerId self, PeerContext.Role role, List<PeerId> peers, Training training, int samples) {
    return new PeerContext(
        self,
        role,
        SERVER,
        peers,
        OptionalInt.of((int) SERVER.number()),
        ROUNDS,
        training,
        samples,
        Ints.of(20, 10),
        new RandomStreams(42),
        index -> weights(index, index),
        () -> ElectionIdentity.fromSeed(42, SERVER.number()).apply(self.number()),
        UnaryOperator.identity(),
        Optional.empty(),
        1);
  }

  public static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  /** A model identified by its number. */
  public static Weights model(int number) {
    return weights(number, -number);
  }

  public static List<PeerId> ids(long... numbers) {
    return LongStream.of(numbers).mapToObj(PeerId::new).toList();
  }

  public static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  public static Effect contradicted(String name, long peer) {
    return new Effect.Observe(new Observation.Contradicted(name, new PeerId(peer)));
  }

  public static Effect deployed(
      int round, Observation.Stage stage, Weights weights, Observation.Audience audience) {
    return new Effect.Observe(
        new Observation.Deployed(round, stage, new Predictor.Single(weights), audience));
  }

  public List<Effect> started(long... neighbours) {
    return feedAll(new Event.Started(tick++, ids(neighbours)));
  }

  public List<Effect> restored(long... neighbours) {
    return feedAll(new Event.Restored(tick++, ids(neighbours)));
  }

  public List<Effect> neighboursChanged(long... neighbours) {
    return feedAll(new Event.NeighboursChanged(tick++, ids(neighbours)));
  }

  public List<Effect> received(long from, Message message) {
    return feed(new Event.Received(tick++, new PeerId(from), message));
  }

  /** A message for the machine that finds peers. */
  public List<Effect> receivedByDiscovery(long from, Message message) {
    return effects(
        peer.step(
            state, Component.DISCOVERY, new Event.Received(tick++, new PeerId(from), message)));
  }

  public List<Effect> sendFailed(long to, Message message) {
    return feed(new Event.SendFailed(tick++, new PeerId(to), message));
  }

  public List<Effect> timerFired(String name, long number) {
    return feed(new Event.TimerFired(tick++, new Timer(name, number)));
  }

  public List<Effect> trained(long ticket, Weights weights) {
    return feed(new Event.Computed(tick++, ticket, new Result.Trained(weights, 0.5, SAMPLES)));
  }

  public List<Effect> trained(long ticket, Weights weights, Weights velocity) {
    return feed(
        new Event.Computed(
            tick++, ticket, new Result.Trained(weights, 0.5, SAMPLES, Optional.of(velocity))));
  }

  public List<Effect> mixed(long ticket, Weights weights) {
    return feed(new Event.Computed(tick++, ticket, new Result.Mixed(weights)));
  }

  /** Checks that events which the machine ignores leave its state unchanged. */
  public void ignoresTheRest(Event... others) {
    PeerState before = state;
    for (Event event : Arrays.asList(others)) {
      assertThat(feed(event)).as("%s", event).isEmpty();
      assertThat(state).isEqualTo(before);
    }
  }

  public Object state() {
    return state.layers().getFirst();
  }

  /** The state of the machine with this type of state. */
  public <S> S state(Class<S> type) {
    return state.layers().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }

  public List<Effect> feed(Event event) {
    return effects(peer.step(state, Component.METHOD, event));
  }

  private List<Effect> feedAll(Event event) {
    return effects(peer.stepAll(state, event));
  }

  private List<Effect> effects(PeerStep step) {
    state = step.state();
    return step.effects().stream().map(Tagged::value).toList();
  }
}
