package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.world.Change;
import io.kindred.world.Graph;
import io.kindred.world.Link;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the effects of all peers in virtual time. The same scene gives the same events,
 * whatever the number of workers, and a run resumed from a {@link Cut} goes on as if it had never
 * stopped.
 */
public final class Simulation {
  private static final Digest NO_EVENTS = new Digest(0, 0, 0, 0);

  /** Turns of the world with nothing else going on before a run counts as over. */
  private static final long MOST_IDLE_TURNS = 1_000;

  private final Scene scene;
  private final Workers workers;
  private final ShellService service;
  private final Inspector inspector;
  private final PriorityQueue<Scheduled> queue = new PriorityQueue<>();
  // What waits for a peer that stands still.
  private final SortedMap<Key, Scheduled> heldUp = new TreeMap<>();
  private final Ahead ahead;
  private final Population population;
  private final Post post;
  private final Nature nature;
  private final long[] sequences;
  private final Traffic traffic;
  private final Trace trace;
  private final VirtualTime spent;
  private final Hearing hearing;
  private long tick;
  private int ofPeers;
  private long idleTurns;

  /** A run from the beginning. */
  public Simulation(
      Scene scene,
      Workers workers,
      SimulationListener watcher,
      ShellService service,
      Inspector inspector) {
    this.scene = scene;
    this.workers = workers;
    this.service = service;
    this.inspector = inspector;
    ahead = new Ahead(scene, workers);
    int participants = scene.participants().size();
    population =
        new Population(
            scene.participants().stream().map(Peer::initial).toList(),
            scene.peers(),
            scene.rounds());
    sequences = new long[participants + 1];
    traffic = new Traffic(participants);
    trace = new Trace(NO_EVENTS, 0);
    spent = new VirtualTime(VirtualTime.Snapshot.NONE);
    post = new Post(this, scene, new Roads(scene.world(), participants), new Barriers(), inspector);
    nature = new Nature(this, scene, population, post, EnvironmentState.of(scene.world()));
    hearing = new Hearing(this, scene, watcher, population, nature, new TreeMap<>());
    nature.begin();
  }

  /** A run from a cut; open work starts again. */
  public Simulation(
      Scene scene,
      Workers workers,
      SimulationListener watcher,
      ShellService service,
      Inspector inspector,
      Cut cut) {
    this.scene = scene;
    this.workers = workers;
    this.service = service;
    this.inspector = inspector;
    ahead = new Ahead(scene, workers);
    int participants = scene.participants().size();
    population =
        new Population(
            cut.states(), cut.saved(), scene.peers(), scene.rounds(), cut.plain().population());
    sequences = cut.plain().sequences().stream().mapToLong(Long::longValue).toArray();
    traffic = new Traffic(cut.plain().traffic());
    trace = new Trace(cut.plain().trace(), cut.plain().events());
    spent = new VirtualTime(cut.plain().spent());
    post =
        new Post(
            this,
            scene,
            new Roads(scene.world(), participants, cut.plain().roads()),
            new Barriers(cut.plain().barriers()),
            inspector);
    nature = new Nature(this, scene, population, post, cut.plain().nature());
    hearing = new Hearing(this, scene, watcher, population, nature, cut.plain().counts());
    tick = cut.plain().tick();
    idleTurns = cut.plain().idleTurns();
    // In the order of the queue, so that workers take up first what is needed first.
    for (Map.Entry<Key, Pending> entry : cut.plain().queue().entrySet()) {
      enqueue(entry.getKey(), entry.getValue());
    }
    for (Map.Entry<Key, Pending> entry : cut.plain().heldUp().entrySet()) {
      heldUp.put(entry.getKey(), scheduled(entry.getKey(), entry.getValue()));
    }
  }

  /** Lets the next thing happen; false when none is left. */
  public boolean step() {
    boolean endless = nature.turns() || scene.lingers();
    if (endless && (population.finished() || idleTurns > MOST_IDLE_TURNS)) {
      return false;
    }
    Scheduled next = queue.poll();
    if (next == null) {
      return false;
    }
    tick = next.key().tick();
    if (next.pending().worldly()) {
      idleTurns = ofPeers > 0 ? 0 : idleTurns + 1;
      nature.happen(next.pending());
      return true;
    }
    ofPeers--;
    int receiver = (int) next.key().receiver();
    if (population.paused[receiver]) {
      heldUp.put(next.key(), next);
    } else if (population.up[receiver]) {
      happen(receiver, next);
    } else if (next.pending() instanceof Pending.Arrival arrival) {
      post.undeliverable(arrival.transfer());
    } else {
      drop(next);
    }
    inspector.queued(ofPeers);
    return true;
  }

  private void happen(int receiver, Scheduled next) {
    switch (next.pending()) {
      case Pending.Start start ->
          deliverToAll(receiver, new Event.Started(clock(receiver), start.neighbours()));
      case Pending.Arrival arrival -> post.deliver(arrival);
      case Pending.Alarm alarm when alive(receiver, alarm.life()) ->
          deliver(
              receiver, alarm.component(), new Event.TimerFired(clock(receiver), alarm.timer()));
      case Pending.Work work when alive(receiver, work.life()) ->
          deliver(
              receiver,
              work.component(),
              new Event.Computed(clock(receiver), work.ticket(), resultOf(next)));
      case Pending.Reply reply when alive(receiver, reply.life()) ->
          deliver(
              receiver,
              reply.component(),
              new Event.Told(clock(receiver), Component.SHELL, reply.note()));
      case Pending.Failure failure when alive(receiver, failure.life()) ->
          deliver(
              receiver,
              failure.component(),
              new Event.SendFailed(clock(receiver), failure.to(), failure.message()));
      case Pending.Hop hop -> post.hop(hop);
      case Pending.Departure departure when alive(receiver, departure.life()) ->
          nature.departs(receiver);
      case Pending.Notice _ -> nature.notice(receiver);
      case Pending.Measurement(PeerId neighbour, Link link) ->
          deliverToAll(
              receiver,
              new Event.LinkMeasured(
                  clock(receiver),
                  neighbour,
                  link.bytesPerSecond(),
                  link.latencyTicks(),
                  link.loss()));
      case Pending.Alarm _,
          Pending.Work _,
          Pending.Reply _,
          Pending.Failure _,
          Pending.Departure _ ->
          drop(next); // of an earlier life
      case Pending.Turn _, Pending.Happening _ ->
          throw new IllegalStateException("not for a peer: " + next);
    }
  }

  private boolean alive(int participant, long life) {
    return population.lives[participant] == life;
  }

  /** What a peer's own clock shows. */
  long clock(int participant) {
    return nature.clock(participant, tick);
  }

  private Result resultOf(Scheduled next) {
    Ahead.Computation computation = next.computation();
    if (computation == null) {
      throw new IllegalStateException("work without a computation at " + next.key());
    }
    return workers.await(ahead.take(computation));
  }

  private void drop(Scheduled next) {
    Ahead.Computation computation = next.computation();
    if (computation != null) {
      ahead.drop(computation);
    }
  }

  void deliver(int receiver, Component component, Event event) {
    record(receiver, component, event);
    Peer peer = scene.participants().get(receiver);
    answered(receiver, event, peer.step(population.states[receiver], component, event));
  }

  void deliverToAll(int receiver, Event event) {
    record(receiver, null, event);
    Peer peer = scene.participants().get(receiver);
    answered(receiver, event, peer.stepAll(population.states[receiver], event));
  }

  private void record(int receiver, @Nullable Component component, Event event) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeLong(receiver);
    out.writeText(component == null ? "" : component.name());
    scene.wire().write(Event.class, event, out);
    trace.add(out.toBytes());
  }

  private void answered(int peer, Event event, PeerStep step) {
    population.states[peer] = step.state();
    inspector.stepped(tick, new PeerId(peer), event, step);
    for (Tagged<Effect> effect : step.effects()) {
      interpret(peer, effect.component(), effect.value());
    }
  }

  private void interpret(int peer, Component component, Effect effect) {
    long life = population.lives[peer];
    switch (effect) {
      case Effect.Send send -> post.send(peer, component, send);
      case Effect.SetTimer alarm ->
          schedule(
              tick + nature.ticksOf(peer, alarm.afterTicks()),
              peer,
              peer,
              new Pending.Alarm(component, alarm.timer(), life));
      case Effect.Compute compute ->
          schedule(
              computed(peer, compute.work()),
              peer,
              peer,
              new Pending.Work(component, compute.ticket(), compute.work(), life));
      case Effect.Observe observe -> hearing.observe(peer, observe.observation());
      case Effect.Tell tell ->
          schedule(
              tick + 1,
              peer,
              peer,
              new Pending.Reply(
                  component, service.answer(new PeerId(peer), tell.note(), population), life));
    }
  }

  /** When a device, which does one thing after another, has done this. */
  private long computed(int peer, Ticket ticket) {
    long operations = scene.operations().applyAsLong(new PeerId(peer), ticket);
    long ticks = nature.computeTicks(peer, operations * population.slowness[peer]);
    population.busyUntil[peer] = Math.max(tick, population.busyUntil[peer]) + ticks;
    if (peer < scene.peers()) {
      spent.computed(peer, ticket, ticks);
    }
    return population.busyUntil[peer];
  }

  /** Who was whose neighbour at first. */
  public Graph heard() {
    return scene.world().graph();
  }

  /** Rounds that peers, servers aside, have gone, of all of them together. */
  public long roundsGone() {
    return population.roundsGone();
  }

  void count(String name) {
    hearing.count(name);
  }

  /** Lets a sender know, in a while, that a message did not arrive. */
  void fails(int sender, Component component, PeerId to, Message message) {
    schedule(
        tick + scene.world().network().noticeTicks(),
        sender,
        sender,
        new Pending.Failure(component, to, message, population.lives[sender]));
  }

  void changed(Change change) {
    inspector.changed(change);
  }

  long worldRound() {
    return nature.round();
  }

  boolean faultsSpareMessages() {
    return nature.sparesMessages();
  }

  long nextSequence(int sender) {
    return sequences[sender]++;
  }

  void schedule(long at, int receiver, int sender, Pending pending) {
    enqueue(new Key(at, receiver, sender, nextSequence(sender)), pending);
  }

  /** The world comes first at its tick. */
  void scheduleWorld(long at, Pending pending) {
    int world = scene.participants().size();
    enqueue(new Key(Math.max(at, tick), -1, world, nextSequence(world)), pending);
  }

  /** What had to wait for a peer that stood still happens now, in the order it came. */
  void release(int peer) {
    List<Scheduled> waited = new ArrayList<>();
    heldUp.values().removeIf(each -> each.key().receiver() == peer && waited.add(each));
    for (Scheduled each : waited) {
      Key key = each.key();
      ofPeers++;
      queue.add(
          new Scheduled(
              new Key(tick, key.receiver(), key.sender(), key.sequence()),
              each.pending(),
              each.computation()));
    }
  }

  private void enqueue(Key key, Pending pending) {
    ofPeers += pending.worldly() ? 0 : 1;
    queue.add(scheduled(key, pending));
  }

  private Scheduled scheduled(Key key, Pending pending) {
    return new Scheduled(
        key, pending, pending instanceof Pending.Work work ? ahead.add(key, work) : null);
  }

  /** All there is to know between two events. */
  public Cut cut() {
    SortedMap<Key, Pending> entries = new TreeMap<>();
    for (Scheduled scheduled : queue) {
      entries.put(scheduled.key(), scheduled.pending());
    }
    SortedMap<Key, Pending> waiting = new TreeMap<>();
    heldUp.forEach((key, scheduled) -> waiting.put(key, scheduled.pending()));
    List<Long> sent = new ArrayList<>();
    for (long sequence : sequences) {
      sent.add(sequence);
    }
    List<@Nullable PeerState> saved = new ArrayList<>();
    Collections.addAll(saved, population.saved);
    return new Cut(
        new Cut.Plain(
            tick,
            trace.head(),
            trace.events(),
            entries,
            waiting,
            sent,
            traffic.snapshot(),
            new TreeMap<>(hearing.counts()),
            population.snapshot(),
            post.roads(),
            post.barriers().snapshot(),
            nature.snapshot(),
            spent.snapshot(),
            idleTurns),
        List.of(population.states),
        saved);
  }

  public long tick() {
    return tick;
  }

  public Digest traceHash() {
    return trace.head();
  }

  public long events() {
    return trace.events();
  }

  public Traffic traffic() {
    return traffic;
  }

  /** How long peers were busy with what. */
  public VirtualTime spent() {
    return spent;
  }

  /** Peers that are there and have not gone all rounds, in ascending order. */
  public List<PeerId> unfinished() {
    List<PeerId> late = new ArrayList<>();
    for (int peer = 0; peer < scene.peers(); peer++) {
      if (population.up[peer] && population.rounds[peer] < scene.rounds()) {
        late.add(new PeerId(peer));
      }
    }
    return late;
  }

  /** The states of all peers as they are now. */
  public Everybody everybody() {
    return population;
  }

  /** How often each countable thing was observed. */
  public SortedMap<String, Long> counts() {
    return hearing.counts();
  }
}
