package io.kindred.protocol.overlay.machine;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A few overlay peers that exchange messages over links of one latency, with a transcript of what
 * they send. Peer 0 has the lowest election score, and so on. Peers with the same last digit of
 * their model are similar.
 */
final class OverlayNetwork {
  static final double LATENCY = 0.02;
  private static final double NOTICE = 0.1;
  private static final int DIMENSION = 16;

  private record Pending(long tick, long number, int peer, int life, Function<Long, Event> event) {}

  private record Line(long tick, String from, String text, SortedSet<Integer> to) {}

  /** A message on its way, for rules that lose or delay it. */
  record Envelope(int from, int to, Message message) {}

  private final OverlaySettings settings;
  private final SortedMap<Integer, SortedSet<Integer>> links = new TreeMap<>();
  private final SortedMap<Integer, OverlayState> states = new TreeMap<>();
  private final SortedMap<Integer, Integer> lives = new TreeMap<>();
  private final SortedMap<Integer, Signature> models = new TreeMap<>();
  private final SortedSet<Integer> down = new TreeSet<>();
  private final PriorityQueue<Pending> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(Pending::tick).thenComparingLong(Pending::number));
  private final List<String> lines = new ArrayList<>();
  private Line open = new Line(-1, "", "", new TreeSet<>());
  private BiPredicate<Integer, Integer> cut = (_, _) -> false;
  private Function<Envelope, Double> delay = _ -> 0.0;
  private boolean writing;
  private long tick;
  private long numbers;
  private long queries;

  OverlayNetwork(OverlaySettings settings) {
    this.settings = settings;
  }

  /** Adds a peer with a model of a group, linked to some peers. */
  OverlayNetwork add(int peer, int group, int... neighbours) {
    links.computeIfAbsent(peer, _ -> new TreeSet<>());
    for (int each : neighbours) {
      links.get(peer).add(each);
      links.computeIfAbsent(each, _ -> new TreeSet<>()).add(peer);
    }
    models.put(peer, model(peer, group));
    return this;
  }

  /** A signature near those of its group, a little different for each peer. */
  static Signature model(int peer, int group) {
    float[] values = {4, 3, 0.1f * (1 + peer)};
    return Signature.of(
        DIMENSION,
        Precision.FLOAT32,
        Ints.of(2 * group, 2 * group + 1, DIMENSION - 1),
        Floats.of(values));
  }

  /** Starts the peers that have been added and are not running. */
  OverlayNetwork start() {
    for (int peer : links.keySet()) {
      if (!states.containsKey(peer)) {
        states.put(peer, overlay(peer).initial());
        lives.put(peer, 0);
        deliver(peer, now -> new Event.Started(now, neighbours(peer)));
        learn(peer, known(models, peer));
        for (int each : known(links, peer)) {
          if (states.containsKey(each) && known(lives, each) >= 0 && tick > 0) {
            deliver(each, now -> new Event.NeighboursChanged(now, neighbours(each)));
          }
        }
      }
    }
    return this;
  }

  /** Gives a peer a new model. */
  OverlayNetwork learn(int peer, Signature model) {
    deliver(
        peer,
        now ->
            new Event.Notified(
                now, Component.METHOD, new OverlayLocalMessage.SignatureUpdated(model, 3)));
    return this;
  }

  /** Writes from now on what peers send, under a title. */
  OverlayNetwork write(String title) {
    flush();
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.add(title);
    writing = true;
    return this;
  }

  OverlayNetwork run(double seconds) {
    long end = tick + Ticks.ofSeconds(seconds);
    while (!queue.isEmpty() && queue.peek().tick() <= end) {
      Pending next = queue.poll();
      tick = next.tick();
      boolean lives = states.containsKey(next.peer()) && !down.contains(next.peer());
      if (lives && next.life() == known(this.lives, next.peer())) {
        step(next.peer(), next.event().apply(tick));
      }
    }
    tick = end;
    return this;
  }

  OverlayNetwork crash(int peer) {
    note("peer " + peer + " crashes");
    down.add(peer);
    lives.merge(peer, 1, Integer::sum);
    return this;
  }

  OverlayNetwork restart(int peer) {
    note("peer " + peer + " is back");
    down.remove(peer);
    deliver(peer, now -> new Event.Restored(now, neighbours(peer)));
    return this;
  }

  OverlayNetwork leave(int peer) {
    note("peer " + peer + " is asked to leave");
    deliver(peer, Event.LeaveRequested::new);
    return this;
  }

  OverlayNetwork search(int peer, int wanted, SearchRule rule) {
    note("peer " + peer + " searches for " + wanted);
    long number = queries++;
    deliver(
        peer,
        now ->
            new Event.Notified(
                now,
                Component.METHOD,
                new OverlayLocalMessage.Search(number, wanted, rule, false)));
    return this;
  }

  /** Loses messages between pairs of peers, from now on. */
  OverlayNetwork cut(String what, BiPredicate<Integer, Integer> pairs) {
    note(what);
    cut = pairs;
    return this;
  }

  /** Delays messages by seconds from now on; negative loses them without a notice. */
  OverlayNetwork disturb(String what, Function<Envelope, Double> seconds) {
    note(what);
    delay = seconds;
    return this;
  }

  OverlayState state(int peer) {
    return known(states, peer);
  }

  /** The peers that lead a zone of a level. */
  List<Integer> leaders(int level) {
    return states.keySet().stream()
        .filter(peer -> !down.contains(peer))
        .filter(
            peer -> state(peer).builtZones().keySet().stream().anyMatch(z -> z.level() == level))
        .toList();
  }

  List<String> transcript() {
    flush();
    return List.copyOf(lines);
  }

  /** Writes each peer's zone, leader and cluster. */
  OverlayNetwork writePlaces() {
    flush();
    for (int peer : states.keySet()) {
      if (!down.contains(peer)) {
        lines.add("          peer " + peer + ": " + place(state(peer)));
      }
    }
    return this;
  }

  private static String place(OverlayState state) {
    String cluster =
        state
            .position()
            .homeCluster()
            .map(
                home ->
                    OverlayWords.cluster(home.cluster())
                        + " held by "
                        + OverlayWords.peers(home.replicas()))
            .orElse("no cluster");
    String leads =
        state.builtZones().keySet().stream()
            .map(OverlayWords::zone)
            .collect(Collectors.joining(", "));
    return cluster + (leads.isEmpty() ? "" : ", leads " + leads);
  }

  private Overlay overlay(int peer) {
    return new Overlay(
        new OverlayContext(
            new PeerId(peer),
            settings,
            VrfSecret.derive(Digest.of(new byte[] {9, (byte) peer})),
            1,
            Epoch.zero(Digest.of(new byte[] {1})),
            new KnownScores()));
  }

  /** Scores in the order of the peers. */
  private static final class KnownScores implements ProofVerifier {
    @Override
    public ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
      return new ElectionScore.ProvenScore(
          score(peer), Bytes.wrap(new byte[] {(byte) peer.number()}));
    }

    @Override
    public Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof) {
      return Optional.of(score(peer));
    }

    private static ElectionScore score(PeerId peer) {
      return new ElectionScore(peer.number(), peer);
    }
  }

  private static <T> T known(SortedMap<Integer, T> map, int peer) {
    return Objects.requireNonNull(map.get(peer));
  }

  private List<PeerId> neighbours(int peer) {
    return known(links, peer).stream().map(PeerId::new).toList();
  }

  private void deliver(int peer, Function<Long, Event> event) {
    at(tick + 1, peer, event);
  }

  private void at(long when, int peer, Function<Long, Event> event) {
    queue.add(new Pending(when, numbers++, peer, known(lives, peer), event));
  }

  private void step(int peer, Event event) {
    Step<OverlayState> step = overlay(peer).step(state(peer), event);
    states.put(peer, step.state());
    for (Effect effect : step.effects()) {
      switch (effect) {
        case Effect.Send(PeerId to, Message message) ->
            send(new Envelope(peer, (int) to.number(), message));
        case Effect.SetTimer(var timer, long after) ->
            at(tick + after, peer, now -> new Event.TimerFired(now, timer));
        case Effect.Compute(long ticket, Ticket.Call call) ->
            at(
                tick + 1,
                peer,
                now ->
                    new Event.Computed(now, ticket, new Result.Answered(call.function().apply())));
        case Effect.Compute compute -> throw new IllegalStateException("computes " + compute);
        case Effect.Observe(Observation.Counted counted) -> count(peer, counted.toString());
        case Effect.Observe _ -> {}
        case Effect.Notify(Component _, LocalMessage message) -> notified(peer, message);
      }
    }
  }

  private void send(Envelope envelope) {
    double extra = delay.apply(envelope);
    boolean lost = extra < 0;
    String text = OverlayWords.of(envelope.message());
    write("peer " + envelope.from(), lost ? text + " (lost)" : text, Optional.of(envelope.to()));
    if (lost) {
      return;
    }
    boolean reaches =
        states.containsKey(envelope.to())
            && !down.contains(envelope.to())
            && !cut.test(envelope.from(), envelope.to());
    if (reaches) {
      at(
          tick + Ticks.ofSeconds(LATENCY + extra),
          envelope.to(),
          now -> new Event.Received(now, new PeerId(envelope.from()), envelope.message()));
    } else {
      at(
          tick + Ticks.ofSeconds(NOTICE),
          envelope.from(),
          now -> new Event.SendFailed(now, new PeerId(envelope.to()), envelope.message()));
    }
  }

  private void count(int peer, String counted) {
    String name = counted.replaceAll(".*name=|]", "").replace("overlay-", "");
    if (!name.equals("not-delivered")) {
      write("peer " + peer, "counts " + name, Optional.empty());
    }
  }

  private void notified(int peer, LocalMessage message) {
    switch (message) {
      case OverlayLocalMessage.Ready _ -> write("peer " + peer, "is ready", Optional.empty());
      case OverlayLocalMessage.SearchFinished found ->
          write(
              "peer " + peer,
              "finds "
                  + OverlayWords.peers(found.candidates().stream().map(Candidate::peer).toList())
                  + " in attempt "
                  + found.attempts()
                  + " after "
                  + found.cost().visited()
                  + " visits",
              Optional.empty());
      default -> throw new IllegalStateException("notifies of " + message);
    }
  }

  private void note(String text) {
    if (writing) {
      flush();
      lines.add(String.format(Locale.ROOT, "%8.3f  *** %s", Ticks.toSeconds(tick), text));
    }
  }

  /** One line for what a peer sends to several peers at once. */
  private void write(String from, String text, Optional<Integer> to) {
    if (!writing || text.isEmpty()) {
      return;
    }
    if (tick != open.tick() || !from.equals(open.from()) || !text.equals(open.text())) {
      flush();
      open = new Line(tick, from, text, new TreeSet<>());
    }
    to.ifPresent(each -> open.to().add(each));
  }

  private void flush() {
    if (open.tick() >= 0) {
      String to =
          open.to().isEmpty()
              ? ""
              : " -> " + open.to().stream().map(String::valueOf).collect(Collectors.joining(" "));
      lines.add(
          String.format(
              Locale.ROOT,
              "%8.3f  %s%s: %s",
              Ticks.toSeconds(open.tick()),
              open.from(),
              to,
              open.text()));
      open = new Line(-1, "", "", new TreeSet<>());
    }
  }

  static String name(Message message) {
    return Catalogue.nameOf(message.getClass()).replace("overlay/", "");
  }
}
