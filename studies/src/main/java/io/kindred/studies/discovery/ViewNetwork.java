package io.kindred.studies.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.DiscoveryContext;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelTrained;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Search;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.SearchFinished;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
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

  /**
   * What holds from the start.
   *
   * @param loss share of the messages that are lost
   * @param waves parts of a round in which peers begin one after another
   */
  record Conditions(long seed, double loss, int waves) {}

  /** A message on its way. */
  private record Transfer(int from, int to, Message message, boolean failed) {}

  /** Rewrites what a lying peer sends; honest peers send what they mean. */
  interface Tampering {
    Tampering NONE =
        new Tampering() {
          @Override
          public boolean lies(int peer) {
            return false;
          }

          @Override
          public Message tampered(ViewNetwork network, int from, int to, Message message) {
            return message;
          }
        };

    boolean lies(int peer);

    Message tampered(ViewNetwork network, int from, int to, Message message);
  }

  private final ViewSettings settings;
  private final Discovery[] machines;
  private final DiscoveryState[] states;
  private final boolean[] up;
  private final int[] group;
  private final Sketch[] sketches;
  private final int[] versions;
  private final IntFunction<List<PeerId>> introductions;
  private final RandomStreams streams;
  private final int waves;
  private final Tampering tampering;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong falseAccusations = new AtomicLong();
  private final AtomicLong convictions = new AtomicLong();
  private double loss;
  private List<Transfer> underway = List.of();
  private int round;
  private long phases;

  /**
   * Starts all peers.
   *
   * @param introductions peers that a peer is told of when it starts, and again when it returns
   */
  ViewNetwork(
      ViewSettings settings,
      List<Sketch> sketches,
      IntFunction<List<PeerId>> introductions,
      Conditions conditions,
      Tampering tampering) {
    int peers = sketches.size();
    this.settings = settings;
    this.introductions = introductions;
    this.streams = new RandomStreams(conditions.seed());
    this.waves = conditions.waves();
    this.loss = conditions.loss();
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
        stepAll(i -> new Event.Started(0, introductions.apply(i)), IntStream.range(0, peers));
    deliverAll();
  }

  /**
   * One round: every peer that is up has trained, and exchanges run to their end. The peers begin
   * in waves, because rounds of real peers do not begin at once: if all exchanges overlapped, a
   * peer would offer the same contacts to its own partner and to the peers that it answers.
   */
  void round() {
    round++;
    for (int wave = 0; wave < waves; wave++) {
      int now = wave;
      underway =
          stepAll(
              i -> notified(new ModelTrained(versions[i], sketches[i])),
              IntStream.range(0, machines.length)
                  .filter(i -> up[i] && Math.floorMod(i + round, waves) == now));
      deliverAll();
    }
  }

  private Event.Notified notified(LocalMessage message) {
    return new Event.Notified(round, Component.METHOD, message);
  }

  private void deliverAll() {
    for (int phase = 0; phase < MAX_PHASES && !underway.isEmpty(); phase++) {
      deliver();
    }
    underway = List.of();
  }

  /** Delivers the messages that are under way; the answers are under way afterwards. */
  private void deliver() {
    List<Transfer> sent = underway;
    phases++;
    List<List<Transfer>> inboxes = new ArrayList<>();
    int[] inboxOf = new int[machines.length];
    for (Transfer each : sent) {
      Optional<Transfer> arriving = arriving(each);
      if (arriving.isEmpty()) {
        continue;
      }
      int to = arriving.get().to();
      if (inboxOf[to] == 0) {
        inboxes.add(new ArrayList<>());
        inboxOf[to] = inboxes.size();
      }
      inboxes.get(inboxOf[to] - 1).add(arriving.get());
    }
    // Messages of a million peers take gigabytes: each is let go as soon as it is delivered.
    underway = List.of();
    sent.clear();
    List<List<Transfer>> answers =
        IntStream.range(0, inboxes.size())
            .parallel()
            .mapToObj(
                i -> {
                  List<Transfer> out = new ArrayList<>();
                  inboxes.get(i).forEach(each -> take(each, out));
                  inboxes.set(i, List.of());
                  return out;
                })
            .toList();
    underway = joined(answers);
  }

  private static List<Transfer> joined(List<List<Transfer>> parts) {
    List<Transfer> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return all;
  }

  /** What becomes of a message: it arrives, it comes back to its sender, or it is lost. */
  private Optional<Transfer> arriving(Transfer sent) {
    Transfer arriving = sent;
    if (!sent.failed()) {
      if (!isReachable(sent.from(), sent.to())) {
        arriving = new Transfer(sent.to(), sent.from(), sent.message(), true);
      } else if (isLost(sent)) {
        return Optional.empty();
      }
    }
    return up[arriving.to()] ? Optional.of(arriving) : Optional.empty();
  }

  private boolean isLost(Transfer transfer) {
    return loss > 0
        && streams.stream(LOSS, transfer.from() * (long) machines.length + transfer.to(), phases)
                .nextDouble()
            < loss;
  }

  private List<Effect> take(Transfer transfer, List<Transfer> out) {
    // Peers keep this number: one object for each peer saves memory.
    PeerId other = machines[transfer.from()].context().self();
    return step(
        transfer.to(),
        transfer.failed()
            ? new Event.SendFailed(round, other, transfer.message())
            : new Event.Received(round, other, transfer.message()),
        out);
  }

  private List<Transfer> stepAll(IntFunction<Event> event, IntStream peers) {
    return joined(
        peers
            .parallel()
            .mapToObj(
                i -> {
                  List<Transfer> out = new ArrayList<>();
                  step(i, event.apply(i), out);
                  return out;
                })
            .toList());
  }

  /** Lets a peer take an event; returns the effects that are no messages to other peers. */
  private List<Effect> step(int peer, Event event, List<Transfer> out) {
    Step<DiscoveryState> step = machines[peer].step(states[peer], event);
    states[peer] = step.state();
    List<Effect> others = List.of();
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Send send) {
        int to = (int) send.to().number();
        Message message = tampering.tampered(this, peer, to, send.message());
        messages.incrementAndGet();
        bytes.addAndGet(MessageSizes.of(message));
        out.add(new Transfer(peer, to, message, false));
        continue;
      }
      if (isCounted(effect, "unexpected-message")) {
        refusals.incrementAndGet();
      }
      others = others.isEmpty() ? new ArrayList<>() : others;
      others.add(effect);
    }
    return others;
  }

  private static boolean isCounted(Effect effect, String name) {
    return effect instanceof Effect.Observe(Observation.Counted counted)
        && counted.name().equals(name);
  }

  /** The peers that a peer would pull now. */
  List<Candidate> similar(int peer, int wanted) {
    for (Effect effect : step(peer, notified(new FindSimilar(round, wanted)), new ArrayList<>())) {
      if (effect instanceof Effect.Notify(Component _, Similar answer)) {
        return answer.candidates();
      }
    }
    throw new IllegalStateException("peer " + peer + " did not answer FindSimilar");
  }

  /** A peer has pulled another peer's model, and sketches it. */
  void pulled(int peer, int owner) {
    List<Effect> effects =
        step(
            peer,
            notified(
                new ModelPulled(
                    machines[owner].context().self(), versions[owner], sketches[owner])),
            new ArrayList<>());
    if (effects.stream()
        .anyMatch(effect -> effect instanceof Effect.Observe(Observation.Contradicted _))) {
      (tampering.lies(owner) ? convictions : falseAccusations).incrementAndGet();
    }
  }

  /**
   * Searches from a peer to the end of the search. A search has no clock here: its timer fires when
   * nothing is under way any more.
   */
  SearchFinished search(int peer, long number, Sketch target, int wanted) {
    List<Transfer> out = new ArrayList<>();
    Deque<Timer> timers = new ArrayDeque<>();
    Optional<SearchFinished> end =
        searched(step(peer, notified(new Search(number, target, wanted)), out), timers);
    while (end.isEmpty()) {
      List<Transfer> sent = out;
      out = new ArrayList<>();
      phases++;
      if (sent.isEmpty()) {
        end = searched(step(peer, new Event.TimerFired(round, timers.removeFirst()), out), timers);
      }
      for (Transfer each : sent) {
        Optional<Transfer> arriving = arriving(each);
        if (arriving.isPresent()) {
          Optional<SearchFinished> told = searched(take(arriving.get(), out), timers);
          end = end.or(() -> told);
        }
      }
    }
    return end.get();
  }

  private static Optional<SearchFinished> searched(List<Effect> effects, Deque<Timer> timers) {
    Optional<SearchFinished> end = Optional.empty();
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.SetTimer set -> timers.add(set.timer());
        case Effect.Notify(Component _, SearchFinished finished) -> end = Optional.of(finished);
        default -> {}
      }
    }
    return end;
  }

  /** The peer has another model from now on. */
  void changeModel(int peer, Sketch sketch) {
    sketches[peer] = sketch;
    versions[peer]++;
  }

  /** Stops a peer, or lets it return with the state that it had. */
  void setUp(int peer, boolean isUp) {
    if (isUp && !up[peer]) {
      step(peer, new Event.Restored(round, introductions.apply(peer)), new ArrayList<>());
    }
    up[peer] = isUp;
  }

  /** From now on no message is lost. */
  void endLoss() {
    loss = 0;
  }

  /** Messages between peers of different parts fail. */
  void split(int peer, int part) {
    group[peer] = part;
  }

  boolean isReachable(int from, int to) {
    return up[to] && group[to] == group[from];
  }

  boolean isUp(int peer) {
    return up[peer];
  }

  int size() {
    return machines.length;
  }

  int roundNumber() {
    return round;
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

  /** Messages that a peer refused: not expected, invalid, or beyond its share of a round. */
  long refusals() {
    return refusals.get();
  }

  /** Honest peers that were accused of a false claim, counted for each accuser and time. */
  long falseAccusations() {
    return falseAccusations.get();
  }

  /** Lying peers that were caught with a false claim, counted for each accuser and time. */
  long convictions() {
    return convictions.get();
  }
}
