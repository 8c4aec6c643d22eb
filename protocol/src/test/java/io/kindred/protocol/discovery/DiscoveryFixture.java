package io.kindred.protocol.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A few peers that exchange messages at once, in the order in which they were sent. */
final class DiscoveryFixture {
  record Sent(int from, int to, Message message) {}

  final ViewSettings settings;
  final List<Discovery> machines = new ArrayList<>();
  final List<DiscoveryState> states = new ArrayList<>();
  final List<Sketch> sketches = new ArrayList<>();
  final boolean[] down;
  final List<Sent> log = new ArrayList<>();
  final List<LocalMessage> notified = new ArrayList<>();
  final List<String> counted = new ArrayList<>();
  final List<PeerId> contradicted = new ArrayList<>();
  private final Deque<Sent> underway = new ArrayDeque<>();

  DiscoveryFixture(int peers, long seed, ViewSettings settings) {
    this.settings = settings;
    this.down = new boolean[peers];
    RandomStreams streams = new RandomStreams(seed);
    for (int i = 0; i < peers; i++) {
      machines.add(new Discovery(new DiscoveryContext(new PeerId(i), settings, streams)));
      states.add(machines.get(i).initial());
      sketches.add(sketch(settings, i % 4, i));
    }
    // A ring: everything else is learnt by gossip.
    for (int i = 0; i < peers; i++) {
      step(i, new Event.Started(0, List.of(new PeerId((i + 1) % peers))));
    }
    deliver();
  }

  static ViewSettings settings() {
    return new ViewSettings(
        8,
        8,
        4,
        6,
        3,
        5,
        0.5,
        0.8,
        true,
        20,
        3,
        2,
        new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 64, 0));
  }

  /** The sketch of a peer in a cluster: half common, half its own. */
  static Sketch sketch(ViewSettings settings, int cluster, int own) {
    float[] values = new float[400];
    RandomStream ofCluster = new RandomStreams(1).stream(new Purpose("cluster"), cluster, 0);
    RandomStream ofPeer = new RandomStreams(1).stream(new Purpose("peer"), own, 0);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (1.5 * ofCluster.nextGaussian() + ofPeer.nextGaussian());
    }
    return settings.sketch().sketch(values, new float[values.length], 0, values.length);
  }

  void step(int peer, Event event) {
    Step<DiscoveryState> step = machines.get(peer).step(states.get(peer), event);
    states.set(peer, step.state());
    for (Effect effect : step.effects()) {
      switch (effect) {
        case Effect.Send send -> {
          Sent sent = new Sent(peer, (int) send.to().number(), send.message());
          log.add(sent);
          underway.add(sent);
        }
        case Effect.Notify notify -> notified.add(notify.message());
        case Effect.Observe(Observation.Counted count) -> counted.add(count.name());
        case Effect.Observe(Observation.Contradicted proof) -> {
          counted.add(proof.name());
          contradicted.add(proof.peer());
        }
        default -> {}
      }
    }
  }

  void deliver() {
    while (!underway.isEmpty()) {
      Sent sent = underway.remove();
      if (down[sent.to()]) {
        step(sent.from(), new Event.SendFailed(0, new PeerId(sent.to()), sent.message()));
      } else {
        step(sent.to(), new Event.Received(0, new PeerId(sent.from()), sent.message()));
      }
    }
  }

  void notify(int peer, LocalMessage message) {
    step(peer, new Event.Notified(0, Component.METHOD, message));
  }

  void receive(int peer, int from, Message message) {
    step(peer, new Event.Received(0, new PeerId(from), message));
  }

  void round(int version) {
    for (int i = 0; i < machines.size(); i++) {
      if (!down[i]) {
        notify(i, new DiscoveryLocalMessage.ModelTrained(version, sketches.get(i)));
      }
    }
    deliver();
  }

  List<Integer> entries(int peer) {
    return states.get(peer).entries().stream().map(each -> (int) each.peer().number()).toList();
  }

  List<Integer> similar(int peer, int wanted) {
    notified.clear();
    notify(peer, new DiscoveryLocalMessage.FindSimilar(1, wanted));
    return ((DiscoveryLocalMessage.Similar) notified.getLast())
        .candidates().stream().map(each -> (int) each.peer().number()).toList();
  }

  ViewEntry entry(int peer, int of) {
    List<ViewEntry> entries = states.get(peer).entries();
    return entries.stream().filter(each -> each.peer().number() == of).findFirst().orElseThrow();
  }

  Descriptor descriptor(int peer, int version) {
    return new Descriptor(new PeerId(peer), version, sketches.get(peer));
  }
}
