package io.kindred.studies.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.DiscoveryContext;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelTrained;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A third shell for the same machine, for networks of up to a million peers: rounds in lock step,
 * no virtual time, all cores. In a phase every peer takes the messages that were sent to it in the
 * phase before, in the order of their senders, so the result does not depend on threads.
 */
final class ViewNetwork {
  /** Phases of a round: trained, requests, replies, pushes, and retries of failed requests. */
  private static final int MAX_PHASES = 12;

  private static final Purpose LOSS = new Purpose("discovery-loss");

  /** A message on its way. */
  private record Transfer(int from, int to, Message message, boolean failed) {}

  /** Rewrites what a lying peer sends; honest peers send what they mean. */
  interface Tampering {
    Message tampered(int from, int to, Message message);
  }

  private final ViewSettings settings;
  private final Discovery[] machines;
  private final DiscoveryState[] states;
  private final boolean[] up;
  private final int[] group;
  private final Sketch[] sketches;
  private final int[] versions;
  private final RandomStreams streams;
  private final double loss;
  private final Tampering tampering;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong accusations = new AtomicLong();
  private List<Transfer> underway = List.of();
  private int round;

  ViewNetwork(
      ViewSettings settings,
      List<Sketch> sketches,
      BiFunction<Integer, Integer, List<PeerId>> introductions,
      long seed,
      double loss,
      Tampering tampering) {
    int peers = sketches.size();
    this.settings = settings;
    this.streams = new RandomStreams(seed);
    this.loss = loss;
    this.tampering = tampering;
    this.sketches = sketches.toArray(Sketch[]::new);
    this.versions = new int[peers];
    machines = new Discovery[peers];
    states = new DiscoveryState[peers];
    up = new boolean[peers];
    group = new int[peers];
    for (int i = 0; i < peers; i++) {
      machines[i] = new Discovery(new DiscoveryContext(new PeerId(i), settings, streams));
      states[i] = machines[i].initial();
      up[i] = true;
    }
    underway =
        stepAll(
            i -> new Event.Started(0, introductions.apply(i, peers)), IntStream.range(0, peers));
    deliverAll();
  }

  /** One round: every peer that is up has trained, then exchanges run to their end. */
  void round() {
    round++;
    underway =
        stepAll(
            i -> notified(new ModelTrained(versions[i], sketches[i])),
            IntStream.range(0, machines.length).filter(i -> up[i]));
    deliverAll();
  }

  private Event.Notified notified(LocalMessage message) {
    return new Event.Notified(round, Component.METHOD, message);
  }

  private void deliverAll() {
    for (int phase = 0; phase < MAX_PHASES && !underway.isEmpty(); phase++) {
      underway = deliver(underway, phase);
    }
    underway = List.of();
  }

  private List<Transfer> deliver(List<Transfer> sent, int phase) {
    List<List<Transfer>> inboxes = new ArrayList<>();
    int[] inboxOf = new int[machines.length];
    List<Integer> receivers = new ArrayList<>();
    for (Transfer each : sent) {
      Transfer arriving = each;
      if (!each.failed()) {
        boolean reachable = up[each.to()] && group[each.to()] == group[each.from()];
        if (!reachable) {
          arriving = new Transfer(each.to(), each.from(), each.message(), true);
        } else if (isLost(each, phase)) {
          continue;
        }
      }
      if (!up[arriving.to()]) {
        continue;
      }
      if (inboxOf[arriving.to()] == 0) {
        inboxes.add(new ArrayList<>());
        inboxOf[arriving.to()] = inboxes.size();
        receivers.add(arriving.to());
      }
      inboxes.get(inboxOf[arriving.to()] - 1).add(arriving);
    }
    List<List<Transfer>> answers =
        IntStream.range(0, receivers.size())
            .parallel()
            .mapToObj(
                i -> {
                  List<Transfer> out = new ArrayList<>();
                  for (Transfer each : inboxes.get(i)) {
                    PeerId other = new PeerId(each.from());
                    step(
                        each.to(),
                        each.failed()
                            ? new Event.SendFailed(round, other, each.message())
                            : new Event.Received(round, other, each.message()),
                        out);
                  }
                  return out;
                })
            .toList();
    List<Transfer> next = new ArrayList<>();
    answers.forEach(next::addAll);
    return next;
  }

  private boolean isLost(Transfer transfer, int phase) {
    return loss > 0
        && streams.stream(
                    LOSS,
                    transfer.from() * (long) machines.length + transfer.to(),
                    round * (long) MAX_PHASES + phase)
                .nextDouble()
            < loss;
  }

  private List<Transfer> stepAll(java.util.function.IntFunction<Event> event, IntStream peers) {
    List<List<Transfer>> sent =
        peers
            .parallel()
            .mapToObj(
                i -> {
                  List<Transfer> out = new ArrayList<>();
                  step(i, event.apply(i), out);
                  return out;
                })
            .toList();
    List<Transfer> all = new ArrayList<>();
    sent.forEach(all::addAll);
    return all;
  }

  private List<Candidate> step(int peer, Event event, List<Transfer> out) {
    Step<DiscoveryState> step = machines[peer].step(states[peer], event);
    states[peer] = step.state();
    List<Candidate> found = List.of();
    for (Effect effect : step.effects()) {
      switch (effect) {
        case Effect.Send send -> {
          int to = (int) send.to().number();
          Message message = tampering.tampered(peer, to, send.message());
          messages.incrementAndGet();
          bytes.addAndGet(MessageSizes.of(message));
          out.add(new Transfer(peer, to, message, false));
        }
        case Effect.Notify(Component _, Similar similar) -> found = similar.candidates();
        case Effect.Observe(Observation.Counted counted)
            when counted.name().equals("false-sketch-claim") ->
            accusations.incrementAndGet();
        default -> {}
      }
    }
    return found;
  }

  /** The peers that a peer would pull now. */
  List<Candidate> similar(int peer, int wanted) {
    return step(peer, notified(new FindSimilar(round, wanted)), new ArrayList<>());
  }

  /** A peer has pulled another peer's model, and sketches it. */
  void pulled(int peer, int owner) {
    step(
        peer,
        notified(new ModelPulled(new PeerId(owner), versions[owner], sketches[owner])),
        new ArrayList<>());
  }

  /** The peer has another model from now on. */
  void changeModel(int peer, Sketch sketch) {
    sketches[peer] = sketch;
    versions[peer]++;
  }

  void setUp(int peer, boolean isUp) {
    if (isUp && !up[peer]) {
      up[peer] = true;
      step(peer, new Event.Restored(round, List.of()), new ArrayList<>());
    }
    up[peer] = isUp;
  }

  /** Messages between peers of different parts fail. */
  void split(int peer, int part) {
    group[peer] = part;
  }

  boolean isUp(int peer) {
    return up[peer];
  }

  int size() {
    return machines.length;
  }

  DiscoveryState state(int peer) {
    return states[peer];
  }

  int version(int peer) {
    return versions[peer];
  }

  Sketch sketch(int peer) {
    return sketches[peer];
  }

  ViewSettings settings() {
    return settings;
  }

  long messages() {
    return messages.get();
  }

  long bytes() {
    return bytes.get();
  }

  /** Peers that were caught with a false claim, counted once for each accuser and time. */
  long accusations() {
    return accusations.get();
  }
}
