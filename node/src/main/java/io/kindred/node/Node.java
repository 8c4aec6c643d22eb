package io.kindred.node;

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
import io.kindred.node.PendingEvents.PendingEvent;
import io.kindred.node.audit.AuditTrail;
import io.kindred.node.identity.ElectionCertificates;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.node.log.NodeLog;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.node.state.StateFiles;
import io.kindred.node.state.Totals;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.inbound.MemoryBudget;
import io.kindred.node.transport.inbound.MessageReceiver;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.RoundCompletion;
import io.kindred.storage.disk.Folders;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one peer in real time. A single thread owns the peer's state: it takes the next event, steps
 * the peer and interprets the resulting effects, in that order. Connections, timers and workers run
 * on other threads and only ever add events to its queue.
 */
public final class Node implements AutoCloseable {
  private static final int SECONDS_BETWEEN_STATUS = 1;

  private static final int SECONDS_BETWEEN_CREDENTIAL_CHECKS = 2;

  /** Interval at which this node exchanges addresses with a random member. */
  private static final int SECONDS_BETWEEN_ADDRESS_EXCHANGES = 5;

  /** Interval within which a signature covers what the audit log says. */
  private static final int SECONDS_BETWEEN_AUDIT_SIGNATURES = 60;

  private final NodePlan plan;
  private final NodeListener listener;
  private final NodeLog log;
  private final RoundCompletion roundCompletion;
  private final Peer peer;
  private final Wire wire;
  private final ElectionCertificates electionCertificates;
  private final StateStore stateStore;
  private final Optional<StateFiles.Saved> restored;
  private final PeerStats peerStats;
  private final AuditTrail auditTrail;
  private final NodeClock clock;

  /** Bounds the queued messages; timers and results of the peer are never rejected. */
  private final InboundQuota inboundQuota;

  private final ScheduledExecutorService timers =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("node-timers").factory());
  private final NodeMeasurements measurements = new NodeMeasurements();
  private final PendingEvents events = new PendingEvents(timers, measurements);
  private final Computations computations;
  private final Messaging messaging;
  private final CountDownLatch done = new CountDownLatch(1);
  private final CountDownLatch terminated = new CountDownLatch(1);
  private final GracefulLeave gracefulLeave = new GracefulLeave();
  private final SortedMap<String, Long> counts = new ConcurrentSkipListMap<>();
  private volatile Totals totals;
  private volatile NodeStatus.State phase = NodeStatus.State.RUNNING;
  private volatile @Nullable Throwable failure;
  private volatile boolean stopping;
  private volatile boolean crashed;
  private volatile boolean started;
  private volatile boolean peerStarted;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable NeighbourUpdates neighbourUpdates;
  private PeerState state;

  /** Starts to listen and reads any saved state; no event is stepped before {@link #start}. */
  public Node(NodePlan plan, NodeListener listener, NodeLog log) {
    this.plan = plan;
    this.listener = listener;
    this.log = log;
    Folders.requireWritable(plan.folder());
    inboundQuota = new InboundQuota(MemoryBudget.ofMemory(plan.modelBytes()));
    roundCompletion = plan.roundCompletion();
    electionCertificates =
        plan.electionCertificates(PeerTrustManager.memberVerifier(plan.identity()));
    peer = plan.peer(electionCertificates);
    wire = plan.peerFactory().wire();
    stateStore = new StateStore(plan, peer, wire, log);
    restored = stateStore.restored();
    peerStats = new PeerStats(plan.statusFile());
    computations = new Computations(plan, timers, events, measurements);
    state = restored.map(StateFiles.Saved::state).orElseGet(peer::initial);
    totals = restored.map(StateFiles.Saved::totals).orElse(Totals.NOTHING);
    auditTrail = new AuditTrail(plan.folder(), plan.identity(), stateStore);
    clock = new NodeClock(restored.map(StateFiles.Saved::tick).orElse(0L));
    messaging =
        new Messaging(
            plan,
            wire,
            electionCertificates,
            this::enqueueMessage,
            new Refusals(log, auditTrail),
            measurements,
            timers,
            log);
  }

  /** Port that the node listens at. */
  public int port() {
    return messaging.port();
  }

  /** Starts the peer, or continues from the state that the last incarnation saved. */
  public void start(SortedMap<PeerId, InetSocketAddress> addresses) {
    start(addresses, new TreeSet<>());
  }

  /** The same with neighbours that are reached through a relay only. */
  public void start(SortedMap<PeerId, InetSocketAddress> addresses, SortedSet<PeerId> relayed) {
    Outbox open = messaging.open(addresses);
    stateStore.beginIncarnation();
    auditTrail.started(plan.agreement().summary());
    SortedSet<PeerId> all = new TreeSet<>(addresses.keySet());
    all.addAll(relayed);
    NeighbourSelector neighbourSelector = new NeighbourSelector(plan, open, all, log);
    NeighbourUpdates updates =
        new NeighbourUpdates(plan, neighbourSelector, open, messaging::partners, events, log);
    neighbourUpdates = updates;
    log.withRound(totals.round())
        .info(
            "started",
            "{} listens at port {}, {}",
            plan.identity().member(),
            port(),
            restored.isPresent() ? "restored after round " + totals.round() : "first start");
    if (roundCompletion.isLastRound(totals.round())) {
      markDone();
    }
    started = true;
    StartupBarrier startupBarrier = new StartupBarrier(open, all, plan.messaging().gatherMillis());
    Thread.ofPlatform()
        .name("node-" + plan.number())
        .start(() -> run(startupBarrier, neighbourSelector, updates));
    schedulePeriodically(
        SECONDS_BETWEEN_ADDRESS_EXCHANGES,
        "exchanging addresses",
        messaging::exchangeWithRandomMember);
    schedulePeriodically(SECONDS_BETWEEN_STATUS, "writing the status", this::writeStatus);
    schedulePeriodically(
        SECONDS_BETWEEN_AUDIT_SIGNATURES, "signing the audit log", auditTrail::sign);
    schedulePeriodically(
        SECONDS_BETWEEN_CREDENTIAL_CHECKS, "refreshing credentials", messaging::refreshCredentials);
  }

  private void schedulePeriodically(int seconds, String name, Runnable work) {
    PeriodicTask.schedule(timers, TimeUnit.SECONDS.toMillis(seconds), name, work, log);
  }

  private boolean enqueueMessage(MessageReceiver.ReceivedMessage received) {
    if (stopping || !inboundQuota.tryAcquire(received)) {
      return false;
    }
    electionCertificates.learn(received.certificates());
    measurements.received(received.controlBytes() + received.modelBytes());
    auditTrail.received(
        received.from(), messaging.certificateOf(received.from()), received.models());
    updateNeighbours(updates -> updates.heard(received.from()));
    events.add(
        received.component(),
        tick -> {
          inboundQuota.release(received);
          int models = received.models().size();
          peerStats.addMessage(received.from(), models);
          totals = totals.received(received.controlBytes(), received.modelBytes(), models);
          return new Event.Received(tick, received.from(), received.message());
        });
    return true;
  }

  private void updateNeighbours(Consumer<NeighbourUpdates> update) {
    NeighbourUpdates updates = neighbourUpdates;
    if (updates != null) {
      update.accept(updates);
    }
  }

  /** Messages may be queued before the start event, which is stepped first all the same. */
  private void run(
      StartupBarrier startupBarrier,
      NeighbourSelector neighbourSelector,
      NeighbourUpdates updates) {
    try {
      if (restored.isEmpty()) {
        startupBarrier.await(() -> stopping, log);
      }
      peerStarted = true;
      computations.started(clock.tick());
      // The neighbours have passed on the addresses of others meanwhile.
      updates.membersChanged();
      neighbourSelector.reselect();
      List<PeerId> neighbours = neighbourSelector.neighbours();
      step(
          new PendingEvent(
              null,
              tick ->
                  restored.isPresent()
                      ? new Event.Restored(tick, neighbours)
                      : new Event.Started(tick, neighbours)));
      neighbourSelector.measurements().forEach(each -> step(new PendingEvent(null, each)));
      updates.schedule(timers);
      while (!stopping) {
        PendingEvent next = events.poll(SECONDS_BETWEEN_STATUS);
        if (next != null) {
          step(next);
        }
        if (stateStore.saveOverdue()) {
          save(totals);
        }
      }
      // A node that was stopped before its first event has no state to save.
      if (!crashed && totals.events() > 0) {
        save(totals);
      }
      phase = NodeStatus.State.STOPPED;
    } catch (InterruptedException stopped) {
      phase = NodeStatus.State.STOPPED;
    } catch (RuntimeException | Error broken) {
      failure = broken;
      phase = NodeStatus.State.FAILED;
      log.withRound(totals.round()).error("failed", "failed: {}", broken.getMessage(), broken);
    } finally {
      done.countDown();
      terminated.countDown();
    }
  }

  private void step(PendingEvent pendingEvent) {
    if (stopping) {
      return;
    }
    Event event = pendingEvent.event().apply(clock.tick());
    Component component = pendingEvent.component();
    PeerStep step;
    try {
      step = component == null ? peer.stepAll(state, event) : peer.step(state, component, event);
    } catch (RuntimeException unusable) {
      rejectMessage(event, unusable);
      return;
    }
    state = step.state();
    totals = totals.oneMoreEvent();
    stateStore.recordStep(component, event, step);
    if (event instanceof Event.LeaveRequested) {
      gracefulLeave.leaveStepStarted();
    }
    messaging.reportRefusedProof(event, step);
    for (Tagged<Effect> effect : step.effects()) {
      interpret(effect.component(), effect.value());
    }
    gracefulLeave.stepFinished();
  }

  /**
   * A machine that fails on a message leaves the state as it was, so the message is dropped: no
   * other member may bring a node down. A failure on any other event is our bug.
   */
  private void rejectMessage(Event event, RuntimeException unusable) {
    if (!(event instanceof Event.Received received)) {
      throw unusable;
    }
    messaging
        .abusePolicy()
        .reportOffence(
            new Member(plan.identity().member().network(), received.from()),
            RefusalKind.UNUSABLE_MESSAGE,
            unusable + " in the machine that received the message");
  }

  private void interpret(Component component, Effect effect) {
    switch (effect) {
      case Effect.Send send -> send(component, send.to(), send.message());
      case Effect.SetTimer timer ->
          events.addAfter(
              timer.afterTicks(), component, tick -> new Event.TimerFired(tick, timer.timer()));
      case Effect.Compute compute -> {
        auditTrail.computes(compute.work());
        computations.submit(component, compute, clock.tick());
      }
      case Effect.Observe observe -> observe(observe.observation());
      case Effect.Notify notify ->
          throw new IllegalStateException(
              "%s asks the shell for %s, a service that only a simulator offers"
                  .formatted(component, notify.message().getClass().getSimpleName()));
    }
  }

  private void send(Component component, PeerId to, Message message) {
    Messaging.EncodedMessage encodedMessage = messaging.encode(message);
    totals = totals.sent(encodedMessage.controlBytes(), encodedMessage.modelBytes());
    auditTrail.sends(to, messaging.certificateOf(to), message, encodedMessage.encoded().weights());
    messaging.send(
        to,
        component,
        encodedMessage,
        gracefulLeave.trackSend(
            why ->
                why.ifPresent(reason -> events.add(component, undelivered(to, message, reason)))));
  }

  private LongFunction<Event> undelivered(PeerId to, Message message, String reason) {
    return tick -> {
      totals = totals.failedSend();
      updateNeighbours(updates -> updates.unreached(to));
      log.withPeer(to).warn("undelivered", "message to {} was not delivered: {}", to, reason);
      return new Event.SendFailed(tick, to, message);
    };
  }

  private void observe(Observation observation) {
    switch (observation) {
      case Observation.Deployed deployed -> {
        auditTrail.uses(deployed.predictor());
        boolean finished = roundCompletion.finishesRound(deployed);
        // The state is saved before the round is reported.
        save(finished ? totals.finished(deployed.round()) : totals);
        if (finished) {
          roundFinished(deployed.round());
        }
        if (roundCompletion.finishesRun(deployed)) {
          markDone();
        }
      }
      case Observation.RoundCompleted completed -> {
        save(totals.finished(completed.round()));
        roundFinished(completed.round());
        if (roundCompletion.isLastRound(completed.round())) {
          markDone();
        }
      }
      case Observation.Counted counted -> counts.merge(counted.name(), 1L, Long::sum);
      case Observation.Warned warned -> {
        counts.merge(warned.name(), 1L, Long::sum);
        log.withRound(totals.round()).warn(warned.name(), "{}", warned.text());
      }
      case Observation.Contradicted contradicted -> {
        counts.merge(contradicted.name(), 1L, Long::sum);
        messaging.reportContradiction(contradicted);
      }
      case Observation.ModelsMixed _,
          Observation.ClientDeployed _,
          Observation.Measured _,
          Observation.ModelsHeld _,
          Observation.SamplesClustered _,
          Observation.SearchCompleted _ -> {}
    }
    listener.observed(clock.secondsUp(), observation, totals);
  }

  private void roundFinished(int round) {
    computations.roundFinished(clock.tick());
    log.withRound(round).debug("round", "round {} is done", round);
  }

  private void markDone() {
    if (phase == NodeStatus.State.RUNNING) {
      phase = NodeStatus.State.DONE;
      int rounds = plan.peerFactory().rounds();
      log.withRound(rounds).info("done", "all {} rounds are done", rounds);
    }
    done.countDown();
  }

  private void save(Totals now) {
    stateStore.save(new StateFiles.Saved(state, now, clock.tick()));
    totals = now;
  }

  private void writeStatus() {
    stateStore.write(status());
  }

  public NodeStatus status() {
    return new NodeStatus(
        new NodeStatus.Instance(
            plan.identity().member().network(),
            plan.number(),
            ProcessHandle.current().pid(),
            port()),
        new NodeStatus.Progress(
            phase, roundCompletion.rounds(), clock.secondsUp(), restored.isPresent()),
        new NodeStatus.Exchange(
            messaging.knownMembers().size(),
            events.size(),
            totals,
            messaging.framedBytes(),
            messaging.relayStats()),
        new NodeStatus.Misconduct(
            refusals().countsByLabel(), messaging.abusePolicy().offenceStats()),
        new TreeMap<>(counts),
        peerStats.snapshot(),
        new NodeStatus.Disk(stateStore.failedWrites(), stateStore.isFailing()),
        Validity.of(plan.identity().certificate()).until().toString(),
        auditTrail.head(),
        plan.agreement().report());
  }

  /** Waits until all rounds are completed or the node has terminated; false on a timeout. */
  public boolean awaitDone(long timeout, TimeUnit unit) throws InterruptedException {
    return done.await(timeout, unit);
  }

  /** Waits until the node has terminated, which a healthy node does only once it is closed. */
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }

  /** What ended the node, if it was a failure. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** How long this node's work takes. */
  public NodeMeasurements measurements() {
    return measurements;
  }

  /** Counts of what this node refused to other members. */
  public Refusals refusals() {
    return messaging.abusePolicy().refusals();
  }

  /** Lets the peer leave gracefully, stops between two events and saves the state. */
  @Override
  public void close() {
    if (peerStarted && !closed.get()) {
      events.add(Event.LeaveRequested::new);
      gracefulLeave.await(() -> terminated.getCount() == 0);
    }
    shutDown();
    writeStatus();
  }

  /** Stops as in a crash: the state is not saved. */
  void crash() {
    crashed = true;
    shutDown();
  }

  private void shutDown() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    stopping = true;
    // Wakes the loop; this event is never created.
    events.add(
        tick -> {
          throw new IllegalStateException("an event was processed after the node had stopped");
        });
    messaging.stopListening();
    if (started) {
      try {
        terminated.await(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    timers.shutdownNow();
    computations.close();
    messaging.close();
    auditTrail.close();
    stateStore.close();
  }
}
