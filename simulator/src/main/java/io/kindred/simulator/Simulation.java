package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Ints;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.learning.training.Trainer;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the effects of all peers in virtual time. The same scene gives the same events,
 * whatever the number of workers, and a run resumed from a {@link Cut} goes on as if it had never
 * stopped.
 */
public final class Simulation {
  private static final Digest NO_EVENTS = new Digest(0, 0, 0, 0);

  private final Scene scene;
  private final Workers workers;
  private final Watcher watcher;
  private final ShellService service;
  private final PriorityQueue<Scheduled> queue = new PriorityQueue<>();
  private final PeerState[] states;
  private final long[] sequences;
  private final Traffic traffic;
  private final Trace trace;
  private final SortedMap<String, Long> counts = new TreeMap<>();
  private long tick;

  /** A run from the beginning. */
  public Simulation(Scene scene, Workers workers, Watcher watcher, ShellService service) {
    this.scene = scene;
    this.workers = workers;
    this.watcher = watcher;
    this.service = service;
    int participants = scene.participants().size();
    states = new PeerState[participants];
    sequences = new long[participants];
    traffic = new Traffic(participants);
    trace = new Trace(NO_EVENTS, 0);
    for (int i = 0; i < participants; i++) {
      states[i] = scene.participants().get(i).initial();
      schedule(0, i, i, new Pending.Start(neighbours(i)));
    }
  }

  /** A run from a cut; open work starts again. */
  public Simulation(Scene scene, Workers workers, Watcher watcher, ShellService service, Cut cut) {
    this.scene = scene;
    this.workers = workers;
    this.watcher = watcher;
    this.service = service;
    states = cut.states().toArray(PeerState[]::new);
    sequences = cut.sequences().stream().mapToLong(Long::longValue).toArray();
    traffic = new Traffic(cut.traffic());
    trace = new Trace(cut.trace(), cut.events());
    tick = cut.tick();
    counts.putAll(cut.counts());
    // In the order of the queue, so that workers take up first what is needed first.
    for (Map.Entry<Key, Pending> entry : cut.queue().entrySet()) {
      enqueue(entry.getKey(), entry.getValue());
    }
  }

  private List<PeerId> neighbours(int participant) {
    if (participant >= scene.graph().peers()) {
      return List.of();
    }
    Ints list = scene.graph().neighbours().get(participant);
    return IntStream.range(0, list.size()).mapToObj(i -> new PeerId(list.get(i))).toList();
  }

  /** Lets the next event happen; false when none is left. */
  public boolean step() {
    Scheduled next = queue.poll();
    if (next == null) {
      return false;
    }
    tick = next.key().tick();
    int receiver = (int) next.key().receiver();
    Peer peer = scene.participants().get(receiver);
    @Nullable Component component = componentOf(next.pending());
    Event event = eventOf(next);
    record(receiver, component, event);
    PeerStep step =
        component == null
            ? peer.stepAll(states[receiver], event)
            : peer.step(states[receiver], component, event);
    states[receiver] = step.state();
    for (Tagged<Effect> effect : step.effects()) {
      interpret(receiver, effect.component(), effect.value());
    }
    return true;
  }

  private static @Nullable Component componentOf(Pending pending) {
    return switch (pending) {
      case Pending.Start _ -> null;
      case Pending.Arrival arrival -> arrival.component();
      case Pending.Alarm alarm -> alarm.component();
      case Pending.Work work -> work.component();
      case Pending.Reply reply -> reply.component();
    };
  }

  private Event eventOf(Scheduled next) {
    return switch (next.pending()) {
      case Pending.Start start -> new Event.Started(tick, start.neighbours());
      case Pending.Arrival arrival -> {
        Wire.Encoded encoded = encode(arrival.message());
        traffic.received(
            (int) next.key().receiver(),
            encoded.bytes().length,
            encoded.modelBytes(),
            encoded.weights().size());
        yield new Event.Received(tick, arrival.from(), arrival.message());
      }
      case Pending.Alarm alarm -> new Event.TimerFired(tick, alarm.timer());
      case Pending.Work work -> new Event.Computed(tick, work.ticket(), resultOf(next));
      case Pending.Reply reply -> new Event.Told(tick, Component.SHELL, reply.note());
    };
  }

  private Result resultOf(Scheduled next) {
    Future<Result> computation = next.computation();
    if (computation == null) {
      throw new IllegalStateException("work without a computation at " + next.key());
    }
    return workers.await(computation);
  }

  private void record(int receiver, @Nullable Component component, Event event) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeLong(receiver);
    out.writeText(component == null ? "" : component.name());
    scene.wire().write(Event.class, event, out);
    trace.add(out.toBytes());
  }

  private Wire.Encoded encode(Message message) {
    return scene.wire().encode(Message.class, message);
  }

  private void interpret(int peer, Component component, Effect effect) {
    switch (effect) {
      case Effect.Send send -> send(peer, component, send);
      case Effect.SetTimer alarm ->
          schedule(
              tick + Math.max(1, alarm.afterTicks()),
              peer,
              peer,
              new Pending.Alarm(component, alarm.timer()));
      case Effect.Compute compute -> {
        long operations = scene.operations().applyAsLong(new PeerId(peer), compute.work());
        schedule(
            tick + scene.network().computeTicks(operations),
            peer,
            peer,
            new Pending.Work(component, compute.ticket(), compute.work()));
      }
      case Effect.Observe observe -> observe(peer, observe.observation());
      case Effect.Tell tell ->
          schedule(
              tick + 1,
              peer,
              peer,
              new Pending.Reply(component, service.answer(new PeerId(peer), tell.note())));
    }
  }

  private void send(int peer, Component component, Effect.Send send) {
    Wire.Encoded encoded = encode(send.message());
    traffic.sent(peer, encoded.bytes().length, encoded.modelBytes());
    schedule(
        tick + scene.network().latencyTicks(),
        (int) send.to().number(),
        peer,
        new Pending.Arrival(component, new PeerId(peer), send.message()));
  }

  private void observe(int peer, Observation observation) {
    if (observation instanceof Observation.Deployed deployed) {
      traffic.roundSeen(deployed.round(), tick);
      if (deployed.audience() == Observation.Audience.EVERYONE) {
        for (int each = 0; each < scene.graph().peers(); each++) {
          tellWatcher(each, observation);
        }
        return;
      }
    }
    if (observation instanceof Observation.Counted counted) {
      counts.merge(counted.name(), 1L, Long::sum);
    }
    tellWatcher(peer, observation);
  }

  private void tellWatcher(int peer, Observation observation) {
    Traffic.Account account = traffic.account(peer);
    watcher.observed(
        new Watcher.Observed(
            tick,
            new PeerId(peer),
            observation,
            account.sentControl() + account.sentModel(),
            account.receivedControl() + account.receivedModel(),
            account.pulled()));
  }

  private void schedule(long at, int receiver, int sender, Pending pending) {
    enqueue(new Key(at, receiver, sender, sequences[sender]++), pending);
  }

  private void enqueue(Key key, Pending pending) {
    Future<Result> computation = null;
    if (pending instanceof Pending.Work work) {
      PeerId peer = new PeerId(key.receiver());
      computation = workers.submit(purposeOf(work.work()), trainer -> compute(trainer, peer, work));
    }
    queue.add(new Scheduled(key, pending, computation));
  }

  private static Result compute(Trainer trainer, PeerId peer, Pending.Work work) {
    Result result = trainer.perform(peer, work.work());
    // Hashing belongs to the work: the thread that steps peers should find it done.
    switch (result) {
      case Result.Trained trained -> trained.weights().digest();
      case Result.Mixed mixed -> mixed.weights().digest();
      case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
    }
    return result;
  }

  private static Workers.Purpose purposeOf(Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train _ -> Workers.Purpose.TRAINING;
      case Ticket.Mix _ -> Workers.Purpose.MIXING;
      case Ticket.Losses _, Ticket.Outputs _, Ticket.Call _ -> Workers.Purpose.OTHER;
    };
  }

  /** All there is to know between two events. */
  public Cut cut() {
    SortedMap<Key, Pending> entries = new TreeMap<>();
    for (Scheduled scheduled : queue) {
      entries.put(scheduled.key(), scheduled.pending());
    }
    List<Long> sent = new ArrayList<>();
    for (long sequence : sequences) {
      sent.add(sequence);
    }
    return new Cut(
        tick,
        trace.head(),
        trace.events(),
        entries,
        List.of(states),
        sent,
        traffic.snapshot(),
        new TreeMap<>(counts));
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

  /** How often each countable thing was observed. */
  public SortedMap<String, Long> counts() {
    return Collections.unmodifiableSortedMap(counts);
  }
}
