package io.kindred.node;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.work.Ticket;
import io.kindred.files.disk.Folders;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.node.log.Log;
import io.kindred.node.state.StateFiles;
import io.kindred.node.state.Totals;
import io.kindred.node.transport.Arrivals;
import io.kindred.node.transport.Outbox;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.Room;
import io.kindred.protocol.wire.Wire;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One peer in real time. A single thread owns the peer's state: it takes what happened, steps the
 * peer and does what the peer wants done, in that order. Connections, timers and workers run beside
 * it and only ever hand it something that happened.
 */
public final class Node implements AutoCloseable {
  private static final int SECONDS_BETWEEN_STATUS = 1;

  private static final int SECONDS_BETWEEN_LOOKS_AT_PAPERS = 2;

  /** Every so often another one is asked whom it knows. */
  private static final int SECONDS_BETWEEN_ACQUAINTANCES = 5;

  /** Something that happened; it gets its tick when it is stepped. */
  private record Happened(@Nullable Component component, LongFunction<Event> event) {}

  private static final Happened LEAVE = new Happened(null, Event.LeaveRequested::new);

  private final NodePlan plan;
  private final NodeWatcher watcher;
  private final Log log;
  private final Peer peer;
  private final Wire wire;
  private final Keeper keeper;
  private final Optional<StateFiles.Saved> found;
  private final Hearing hearing;
  private final NodeClock clock;
  private final BlockingQueue<Happened> queue = new LinkedBlockingQueue<>();

  /** Of messages; what the peer asked for itself always has room. */
  private final Waiting waiting;

  private final ScheduledExecutorService timers =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("node-timers").factory());
  private final WorkerPool workers;
  private final Post post;
  private final CountDownLatch done = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Departure departure = new Departure();
  private final SortedMap<String, Long> counts = new ConcurrentSkipListMap<>();
  private volatile Totals totals;
  private volatile NodeStatus.State phase = NodeStatus.State.RUNNING;
  private volatile @Nullable Throwable failure;
  private volatile boolean stopping;
  private volatile boolean abandoned;
  private volatile boolean started;
  private volatile boolean begun;
  private final AtomicBoolean closed = new AtomicBoolean();
  private PeerState state;

  /** With a log that takes text alone. */
  public Node(NodePlan plan, NodeWatcher watcher, Consumer<String> lines) {
    this(plan, watcher, Log.of(lines));
  }

  /** Opens the door and finds what an earlier life left; nothing is stepped before the start. */
  public Node(NodePlan plan, NodeWatcher watcher, Log log) {
    this.plan = plan;
    this.watcher = watcher;
    this.log = log;
    Folders.requireWritable(plan.folder());
    waiting = new Waiting(Room.ofMemory(plan.modelBytes()));
    peer = plan.cast().peer(plan.number());
    wire = plan.cast().wire();
    keeper = new Keeper(plan, peer, wire, log);
    found = keeper.found();
    hearing = new Hearing(plan.status());
    workers = new WorkerPool(plan.workers(), plan.trainers(), new PeerId(plan.number()));
    state = found.map(StateFiles.Saved::state).orElseGet(peer::initial);
    totals = found.map(StateFiles.Saved::totals).orElse(Totals.NOTHING);
    clock = new NodeClock(found.map(StateFiles.Saved::tick).orElse(0L));
    post = new Post(plan, wire, this::arrived, timers, log);
  }

  /** Where it listens. */
  public int port() {
    return post.port();
  }

  /** Starts the peer, or lets it go on where its last life ended. */
  public void start(SortedMap<PeerId, InetSocketAddress> addresses) {
    start(addresses, new TreeSet<>());
  }

  /** The same with neighbours that nobody can connect to. */
  public void start(SortedMap<PeerId, InetSocketAddress> addresses, SortedSet<PeerId> relayed) {
    Outbox open = post.open(addresses);
    keeper.begin();
    SortedSet<PeerId> all = new TreeSet<>(addresses.keySet());
    all.addAll(relayed);
    Surroundings surroundings = new Surroundings(plan, open, all, log);
    log.info(
        "started",
        "%s listens at port %d, %s"
            .formatted(
                plan.identity().member(),
                port(),
                found.isPresent() ? "restored after round " + totals.round() : "first start"));
    if (totals.round() >= plan.cast().rounds()) {
      finished();
    }
    started = true;
    Gathering gathering = new Gathering(open, all, plan.gatherMillis());
    Thread.ofPlatform().name("node-" + plan.number()).start(() -> run(gathering, surroundings));
    every(SECONDS_BETWEEN_ACQUAINTANCES, "asking others whom they know", open::acquaintAnybody);
    every(SECONDS_BETWEEN_STATUS, "telling the status", this::writeStatus);
    every(SECONDS_BETWEEN_LOOKS_AT_PAPERS, "looking at papers", post::refreshPapers);
  }

  private void every(int seconds, String what, Runnable work) {
    Routine.begin(timers, TimeUnit.SECONDS.toMillis(seconds), what, work, log);
  }

  private boolean arrived(Arrivals.Arrival arrival) {
    if (stopping || !waiting.enter(arrival)) {
      return false;
    }
    queue.add(
        new Happened(
            arrival.component(),
            tick -> {
              waiting.leave(arrival);
              hearing.add(arrival.from(), arrival.models());
              totals =
                  totals.received(arrival.controlBytes(), arrival.modelBytes(), arrival.models());
              return new Event.Received(tick, arrival.from(), arrival.message());
            }));
    return true;
  }

  /** Messages may be here before the start, which comes first all the same. */
  private void run(Gathering gathering, Surroundings surroundings) {
    try {
      if (found.isEmpty()) {
        gathering.await(() -> stopping, log);
      }
      begun = true;
      surroundings.look();
      List<PeerId> neighbours = surroundings.neighbours();
      step(
          new Happened(
              null,
              tick ->
                  found.isPresent()
                      ? new Event.Restored(tick, neighbours)
                      : new Event.Started(tick, neighbours)));
      surroundings.measurements().forEach(each -> step(new Happened(null, each)));
      lookAgain(surroundings);
      while (!stopping) {
        Happened next = queue.poll(SECONDS_BETWEEN_STATUS, TimeUnit.SECONDS);
        if (next != null) {
          step(next);
        }
        if (keeper.owesState()) {
          save(totals);
        }
      }
      // One that was stopped before its start has nothing to go on from.
      if (!abandoned && totals.events() > 0) {
        save(totals);
      }
      phase = NodeStatus.State.STOPPED;
    } catch (InterruptedException stopped) {
      phase = NodeStatus.State.STOPPED;
    } catch (RuntimeException | Error broken) {
      failure = broken;
      phase = NodeStatus.State.FAILED;
      log.say(Log.Level.ERROR, "failed", "failed: " + broken.getMessage());
    } finally {
      done.countDown();
      ended.countDown();
    }
  }

  /** Ways change: whoever wants to know is told from time to time. */
  private void lookAgain(Surroundings surroundings) {
    long micros = Ticks.ofSeconds(plan.links().everySeconds());
    if (micros == 0) {
      return;
    }
    Runnable look =
        () -> {
          try {
            boolean changed = surroundings.look();
            if (changed) {
              List<PeerId> now = surroundings.neighbours();
              queue.add(new Happened(null, tick -> new Event.NeighboursChanged(tick, now)));
            }
            surroundings.measurements().forEach(each -> queue.add(new Happened(null, each)));
          } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
          }
        };
    Future<?> _ =
        timers.scheduleWithFixedDelay(
            () -> Thread.startVirtualThread(look), micros, micros, TimeUnit.MICROSECONDS);
  }

  private void step(Happened happened) {
    if (stopping) {
      return;
    }
    Event event = happened.event().apply(clock.tick());
    Component component = happened.component();
    PeerStep step;
    try {
      step = component == null ? peer.stepAll(state, event) : peer.step(state, component, event);
    } catch (RuntimeException unusable) {
      refuse(event, unusable);
      return;
    }
    state = step.state();
    totals = totals.oneMoreEvent();
    keeper.stepped(component, event, step);
    if (event instanceof Event.LeaveRequested) {
      departure.begins();
    }
    for (Tagged<Effect> effect : step.effects()) {
      interpret(effect.component(), effect.value());
    }
    departure.hasStepped();
  }

  /**
   * A machine that fails over a message leaves the state as it was, so the node goes on without it:
   * nobody outside may end a node. Failing over anything else is our bug.
   */
  private void refuse(Event event, RuntimeException unusable) {
    if (!(event instanceof Event.Received received)) {
      throw unusable;
    }
    post.conduct()
        .offence(
            new Member(plan.identity().member().network(), received.from()),
            "unusable-message",
            unusable + " in the machine that took it");
  }

  private void interpret(Component component, Effect effect) {
    switch (effect) {
      case Effect.Send send -> send(component, send.to(), send.message());
      case Effect.SetTimer alarm ->
          after(
              alarm.afterTicks(),
              new Happened(component, tick -> new Event.TimerFired(tick, alarm.timer())));
      case Effect.Compute compute -> perform(component, compute);
      case Effect.Observe observe -> observe(observe.observation());
      case Effect.Tell tell ->
          throw new IllegalStateException(
              "%s asks the shell for %s, a service that only a simulator offers"
                  .formatted(component, tell.note().getClass().getSimpleName()));
    }
  }

  private void perform(Component component, Effect.Compute compute) {
    Ticket.Kind kind = compute.work().kind();
    if (!plan.cast().method().needs().contains(kind)) {
      throw new IllegalStateException(
          "the method asks for %s, which is not among its declared needs %s"
              .formatted(kind, plan.cast().method().needs()));
    }
    workers.perform(
        compute.work(),
        result ->
            queue.add(
                new Happened(
                    component, tick -> new Event.Computed(tick, compute.ticket(), result))),
        this::broke);
  }

  private void send(Component component, PeerId to, Message message) {
    Post.Letter letter = post.letter(message);
    totals = totals.sent(letter.controlBytes(), letter.modelBytes());
    post.send(
        to,
        component,
        letter,
        departure.counted(
            why ->
                why.ifPresent(reason -> queue.add(undelivered(component, to, message, reason)))));
  }

  private Happened undelivered(Component component, PeerId to, Message message, String reason) {
    return new Happened(
        component,
        tick -> {
          totals = totals.failedSend();
          log.warn("undelivered", "message to %s did not arrive: %s".formatted(to, reason));
          return new Event.SendFailed(tick, to, message);
        });
  }

  /** A tick is a microsecond. */
  private void after(long ticks, Happened happened) {
    try {
      Future<?> _ = timers.schedule(() -> queue.add(happened), ticks, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closing) {
      // The life that wanted to be woken ends.
    }
  }

  /** Work that fails is our bug or a diverged model; either way the peer cannot go on. */
  private void broke(Throwable broken) {
    queue.add(
        new Happened(
            null,
            tick -> {
              throw new IllegalStateException(broken.getMessage(), broken);
            }));
  }

  private void observe(Observation observation) {
    switch (observation) {
      case Observation.Deployed deployed -> {
        Observation.Stage last = plan.lastStage();
        boolean ends =
            deployed.stage() != Observation.Stage.TRAINED || last == Observation.Stage.TRAINED;
        Totals next = ends ? totals.finished(deployed.round()) : totals;
        // A round is told of once it is kept.
        save(next);
        totals = next;
        if (deployed.round() >= plan.cast().rounds() && deployed.stage() == last) {
          finished();
        }
      }
      case Observation.RoundOver over -> {
        Totals next = totals.finished(over.round());
        save(next);
        totals = next;
        if (over.round() >= plan.cast().rounds()) {
          finished();
        }
      }
      case Observation.Counted counted -> counts.merge(counted.name(), 1L, Long::sum);
      case Observation.Measured _,
          Observation.Held _,
          Observation.Sorted _,
          Observation.Found _ -> {}
    }
    watcher.observed(clock.secondsUp(), observation, totals);
  }

  private void finished() {
    if (phase == NodeStatus.State.RUNNING) {
      phase = NodeStatus.State.DONE;
      log.info("done", "all %d rounds are done".formatted(plan.cast().rounds()));
    }
    done.countDown();
  }

  private void save(Totals now) {
    keeper.save(new StateFiles.Saved(state, now, clock.tick()));
  }

  private void writeStatus() {
    keeper.write(status());
  }

  public NodeStatus status() {
    return new NodeStatus(
        plan.identity().member().network(),
        plan.number(),
        ProcessHandle.current().pid(),
        port(),
        phase,
        plan.cast().rounds(),
        clock.secondsUp(),
        found.isPresent(),
        post.known(),
        queue.size(),
        totals,
        post.framedBytes(),
        post.relayed(),
        refusals().counts(),
        post.conduct().told(),
        new TreeMap<>(counts),
        hearing.told(),
        keeper.unwritten(),
        keeper.isFailing(),
        Validity.of(plan.identity().certificate()).until().toString());
  }

  /** Waits until all rounds are gone or the node ended; false when neither happened in time. */
  public boolean awaitDone(long timeout, TimeUnit unit) throws InterruptedException {
    return done.await(timeout, unit);
  }

  /** Waits a while for the node to end, which a healthy one does only when it is closed. */
  public boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
    return ended.await(timeout, unit);
  }

  /** What ended the node, if it was a failure. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** What others tried in vain. */
  public Refusals refusals() {
    return post.conduct().refusals();
  }

  /** Lets the peer take its leave, stops between two events and keeps what it knows. */
  @Override
  public void close() {
    if (begun && !closed.get()) {
      queue.add(LEAVE);
      departure.await(() -> ended.getCount() == 0);
    }
    end();
    writeStatus();
  }

  /** Ends as a crash would: nothing more is written. */
  void abandon() {
    abandoned = true;
    end();
  }

  private void end() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    stopping = true;
    // Wakes the loop; the event itself is never made.
    queue.add(
        new Happened(
            null,
            tick -> {
              throw new IllegalStateException("stepped after the end");
            }));
    post.stopListening();
    if (started) {
      try {
        ended.await(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    timers.shutdownNow();
    workers.close();
    post.close();
    keeper.close();
  }
}
