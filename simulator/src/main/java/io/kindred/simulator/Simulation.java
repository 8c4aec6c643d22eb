package io.kindred.simulator;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.link.Link;
import io.kindred.environment.topology.Graph;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.BandwidthModel;
import io.kindred.simulator.state.EnvironmentState;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.NetworkPartitions;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSnapshot.SimulatorState;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.TimeBreakdown;
import io.kindred.simulator.state.Traffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the effects of all peers in virtual time. The same spec gives the same events,
 * whatever the number of workers, and a run resumed from a {@link SimulationSnapshot} continues as
 * if it had never stopped.
 */
public final class Simulation {
  private static final Digest NO_EVENTS = new Digest(0, 0, 0, 0);

  /** Environment events in a row, with no peer event queued, after which a run counts as over. */
  private static final long MAX_IDLE_ENVIRONMENT_TICKS = 1_000;

  private final SimulationSpec spec;
  private final Workers workers;
  private final ShellService service;
  private final StepListener listener;
  private final PriorityQueue<QueueEntry> queue = new PriorityQueue<>();
  // Events for peers that are paused.
  private final SortedMap<EventKey, QueueEntry> deferred = new TreeMap<>();
  private final ComputeScheduler computeScheduler;
  private final PeerTable peerTable;
  private final SimulatedNetwork network;
  private final EnvironmentDriver environmentDriver;
  private final long[] sequences;
  private final Traffic traffic;
  private final Trace trace;
  private final TimeBreakdown timeBreakdown;
  private final ObservationLog log;
  private long tick;
  private int queuedPeerEvents;
  private long idleEnvironmentTicks;

  /** A run from the start. */
  public Simulation(
      SimulationSpec spec,
      Workers workers,
      SimulationListener listener,
      ShellService service,
      StepListener stepListener) {
    this.spec = spec;
    this.workers = workers;
    this.service = service;
    this.listener = stepListener;
    computeScheduler = new ComputeScheduler(spec, workers);
    int participants = spec.participants().size();
    peerTable =
        new PeerTable(
            spec.participants().stream().map(Peer::initial).toList(), spec.peers(), spec.rounds());
    sequences = new long[participants + 1];
    traffic = new Traffic(participants);
    trace = new Trace(NO_EVENTS, 0);
    timeBreakdown = new TimeBreakdown(TimeBreakdown.Snapshot.NONE);
    network =
        new SimulatedNetwork(
            this,
            spec,
            new BandwidthModel(spec.environment(), participants),
            new NetworkPartitions(),
            stepListener);
    environmentDriver =
        new EnvironmentDriver(
            this, spec, peerTable, network, EnvironmentState.of(spec.environment()));
    log = new ObservationLog(this, spec, listener, peerTable, environmentDriver, new TreeMap<>());
    environmentDriver.start();
  }

  /** A run from a snapshot; unfinished work starts again. */
  public Simulation(
      SimulationSpec spec,
      Workers workers,
      SimulationListener listener,
      ShellService service,
      StepListener stepListener,
      SimulationSnapshot snapshot) {
    SimulatorState saved = snapshot.simulatorState();
    this.spec = spec;
    this.workers = workers;
    this.service = service;
    this.listener = stepListener;
    computeScheduler = new ComputeScheduler(spec, workers);
    int participants = spec.participants().size();
    peerTable =
        new PeerTable(
            snapshot.peerStates(),
            snapshot.savedStates(),
            spec.peers(),
            spec.rounds(),
            saved.peerTable());
    sequences = saved.sequences().stream().mapToLong(Long::longValue).toArray();
    traffic = new Traffic(saved.traffic());
    trace = new Trace(saved.traceHash(), saved.events());
    timeBreakdown = new TimeBreakdown(saved.timeBreakdown());
    network =
        new SimulatedNetwork(
            this,
            spec,
            new BandwidthModel(spec.environment(), participants, saved.bandwidth()),
            new NetworkPartitions(saved.partitions()),
            stepListener);
    environmentDriver = new EnvironmentDriver(this, spec, peerTable, network, saved.environment());
    log = new ObservationLog(this, spec, listener, peerTable, environmentDriver, saved.counts());
    tick = saved.tick();
    idleEnvironmentTicks = saved.idleEnvironmentTicks();
    // In the order of the queue, so that workers start with the work that is needed first.
    for (Map.Entry<EventKey, QueuedEvent> entry : saved.queue().entrySet()) {
      enqueue(entry.getKey(), entry.getValue());
    }
    for (Map.Entry<EventKey, QueuedEvent> entry : saved.deferred().entrySet()) {
      deferred.put(entry.getKey(), queueEntry(entry.getKey(), entry.getValue()));
    }
  }

  /** Processes the next event; returns false when the run is over. */
  public boolean step() {
    boolean endless = environmentDriver.isDynamic() || spec.continuesAfterLastRound();
    if (endless && (peerTable.allFinished() || idleEnvironmentTicks > MAX_IDLE_ENVIRONMENT_TICKS)) {
      return false;
    }
    QueueEntry next = queue.poll();
    if (next == null) {
      return false;
    }
    tick = next.key().tick();
    if (next.event().isEnvironmental()) {
      idleEnvironmentTicks = queuedPeerEvents > 0 ? 0 : idleEnvironmentTicks + 1;
      environmentDriver.process(next.event());
      return true;
    }
    queuedPeerEvents--;
    int receiver = (int) next.key().receiver();
    if (peerTable.paused[receiver]) {
      deferred.put(next.key(), next);
    } else if (peerTable.up[receiver]) {
      process(receiver, next);
    } else if (next.event() instanceof QueuedEvent.Arrival arrival) {
      network.reportUndeliverable(arrival.transfer());
    } else {
      cancel(next);
    }
    listener.queued(queuedPeerEvents);
    return true;
  }

  private void process(int receiver, QueueEntry next) {
    switch (next.event()) {
      case QueuedEvent.Start start ->
          deliverToAll(receiver, new Event.Started(localClock(receiver), start.neighbours()));
      case QueuedEvent.Arrival arrival -> network.deliver(arrival);
      case QueuedEvent.TimerExpiry timerExpiry
          when isCurrentIncarnation(receiver, timerExpiry.incarnation()) ->
          deliver(
              receiver,
              timerExpiry.component(),
              new Event.TimerFired(localClock(receiver), timerExpiry.timer()));
      case QueuedEvent.Work work when isCurrentIncarnation(receiver, work.incarnation()) ->
          deliver(
              receiver,
              work.component(),
              new Event.Computed(localClock(receiver), work.ticket(), resultOf(next)));
      case QueuedEvent.ShellReply shellReply
          when isCurrentIncarnation(receiver, shellReply.incarnation()) ->
          deliver(
              receiver,
              shellReply.component(),
              new Event.Notified(localClock(receiver), Component.SHELL, shellReply.message()));
      case QueuedEvent.SendFailure sendFailure
          when isCurrentIncarnation(receiver, sendFailure.incarnation()) ->
          deliver(
              receiver,
              sendFailure.component(),
              new Event.SendFailed(localClock(receiver), sendFailure.to(), sendFailure.message()));
      case QueuedEvent.FirstByte firstByte -> network.firstByteArrived(firstByte);
      case QueuedEvent.Departure departure
          when isCurrentIncarnation(receiver, departure.incarnation()) ->
          environmentDriver.completeLeave(receiver);
      case QueuedEvent.NeighbourUpdate _ -> environmentDriver.updateNeighbours(receiver);
      case QueuedEvent.LinkMeasurement(PeerId neighbour, Link link) ->
          deliverToAll(
              receiver,
              new Event.LinkMeasured(
                  localClock(receiver),
                  neighbour,
                  link.bytesPerSecond(),
                  link.latencyTicks(),
                  link.loss()));
      case QueuedEvent.TimerExpiry _,
          QueuedEvent.Work _,
          QueuedEvent.ShellReply _,
          QueuedEvent.SendFailure _,
          QueuedEvent.Departure _ ->
          cancel(next); // of an earlier incarnation
      case QueuedEvent.EnvironmentTick _, QueuedEvent.EnvironmentChange _ ->
          throw new IllegalStateException("not for a peer: " + next);
    }
  }

  private boolean isCurrentIncarnation(int participant, long incarnation) {
    return peerTable.incarnations[participant] == incarnation;
  }

  /** The time on a participant's own clock. */
  long localClock(int participant) {
    return environmentDriver.localClock(participant, tick);
  }

  private Result resultOf(QueueEntry next) {
    ComputeScheduler.Computation computation = next.computation();
    if (computation == null) {
      throw new IllegalStateException("work without a computation at " + next.key());
    }
    return workers.await(computeScheduler.take(computation));
  }

  private void cancel(QueueEntry next) {
    ComputeScheduler.Computation computation = next.computation();
    if (computation != null) {
      computeScheduler.cancel(computation);
    }
  }

  void deliver(int receiver, Component component, Event event) {
    appendToTrace(receiver, component, event);
    Peer peer = spec.participants().get(receiver);
    applyStep(receiver, event, peer.step(peerTable.states[receiver], component, event));
  }

  void deliverToAll(int receiver, Event event) {
    appendToTrace(receiver, null, event);
    Peer peer = spec.participants().get(receiver);
    applyStep(receiver, event, peer.stepAll(peerTable.states[receiver], event));
  }

  private void appendToTrace(int receiver, @Nullable Component component, Event event) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeLong(receiver);
    out.writeText(component == null ? "" : component.name());
    spec.wire().write(Event.class, event, out);
    trace.add(out.toBytes());
  }

  private void applyStep(int peer, Event event, PeerStep step) {
    peerTable.states[peer] = step.state();
    listener.stepped(tick, new PeerId(peer), event, step);
    for (Tagged<Effect> effect : step.effects()) {
      interpret(peer, effect.component(), effect.value());
    }
  }

  private void interpret(int peer, Component component, Effect effect) {
    long incarnation = peerTable.incarnations[peer];
    switch (effect) {
      case Effect.Send send -> network.send(peer, component, send);
      case Effect.SetTimer setTimer ->
          schedule(
              tick + environmentDriver.toGlobalTicks(peer, setTimer.afterTicks()),
              peer,
              peer,
              new QueuedEvent.TimerExpiry(component, setTimer.timer(), incarnation));
      case Effect.Compute compute ->
          schedule(
              completionTick(peer, compute.work()),
              peer,
              peer,
              new QueuedEvent.Work(component, compute.ticket(), compute.work(), incarnation));
      case Effect.Observe observe -> log.observe(peer, observe.observation());
      case Effect.Notify notify ->
          schedule(
              tick + 1,
              peer,
              peer,
              new QueuedEvent.ShellReply(
                  component,
                  service.answer(new PeerId(peer), notify.message(), peerTable),
                  incarnation));
    }
  }

  /** When a device, which computes one ticket after another, has completed this one. */
  private long completionTick(int peer, Ticket ticket) {
    long operations = spec.operations().applyAsLong(new PeerId(peer), ticket);
    long ticks = environmentDriver.computeTicks(peer, operations * peerTable.slowness[peer]);
    peerTable.busyUntil[peer] = Math.max(tick, peerTable.busyUntil[peer]) + ticks;
    if (peer < spec.peers()) {
      timeBreakdown.computed(peer, ticket, ticks);
    }
    return peerTable.busyUntil[peer];
  }

  /** The neighbour graph at the start of the run. */
  public Graph initialGraph() {
    return spec.environment().graph();
  }

  /** Finished rounds of all peers together; a server does not count. */
  public long totalFinishedRounds() {
    return peerTable.totalFinishedRounds();
  }

  void count(String name) {
    log.count(name);
  }

  /** Schedules the report to a sender that a message did not arrive. */
  void scheduleSendFailure(int sender, Component component, PeerId to, Message message) {
    schedule(
        tick + spec.environment().network().noticeTicks(),
        sender,
        sender,
        new QueuedEvent.SendFailure(component, to, message, peerTable.incarnations[sender]));
  }

  void faultOccurred(FaultEvent fault) {
    listener.faultOccurred(fault);
  }

  long environmentRound() {
    return environmentDriver.round();
  }

  boolean hasNoMessageFaults() {
    return environmentDriver.hasNoMessageFaults();
  }

  long nextSequence(int sender) {
    return sequences[sender]++;
  }

  void schedule(long at, int receiver, int sender, QueuedEvent event) {
    enqueue(new EventKey(at, receiver, sender, nextSequence(sender)), event);
  }

  /** At the same tick, environment events come before peer events. */
  void scheduleEnvironment(long at, QueuedEvent event) {
    int environmentSender = spec.participants().size();
    enqueue(
        new EventKey(Math.max(at, tick), -1, environmentSender, nextSequence(environmentSender)),
        event);
  }

  /** Queues the deferred events of a peer that was paused, now and in their original order. */
  void releaseDeferred(int peer) {
    List<QueueEntry> released = new ArrayList<>();
    deferred.values().removeIf(each -> each.key().receiver() == peer && released.add(each));
    for (QueueEntry each : released) {
      EventKey key = each.key();
      queuedPeerEvents++;
      queue.add(
          new QueueEntry(
              new EventKey(tick, key.receiver(), key.sender(), key.sequence()),
              each.event(),
              each.computation()));
    }
  }

  private void enqueue(EventKey key, QueuedEvent event) {
    queuedPeerEvents += event.isEnvironmental() ? 0 : 1;
    queue.add(queueEntry(key, event));
  }

  private QueueEntry queueEntry(EventKey key, QueuedEvent event) {
    return new QueueEntry(
        key,
        event,
        event instanceof QueuedEvent.Work work ? computeScheduler.add(key, work) : null);
  }

  /** The complete state between two events. */
  public SimulationSnapshot snapshot() {
    SortedMap<EventKey, QueuedEvent> entries = new TreeMap<>();
    for (QueueEntry queueEntry : queue) {
      entries.put(queueEntry.key(), queueEntry.event());
    }
    SortedMap<EventKey, QueuedEvent> waiting = new TreeMap<>();
    deferred.forEach((key, entry) -> waiting.put(key, entry.event()));
    List<Long> sequenceNumbers = new ArrayList<>();
    for (long sequence : sequences) {
      sequenceNumbers.add(sequence);
    }
    List<@Nullable PeerState> saved = new ArrayList<>();
    Collections.addAll(saved, peerTable.savedStates);
    return new SimulationSnapshot(
        new SimulationSnapshot.SimulatorState(
            tick,
            trace.head(),
            trace.events(),
            entries,
            waiting,
            sequenceNumbers,
            traffic.snapshot(),
            new TreeMap<>(log.counts()),
            peerTable.snapshot(),
            network.bandwidth(),
            network.partitions().snapshot(),
            environmentDriver.snapshot(),
            timeBreakdown.snapshot(),
            idleEnvironmentTicks),
        List.of(peerTable.states),
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

  /** How much virtual time peers spent on each activity. */
  public TimeBreakdown timeBreakdown() {
    return timeBreakdown;
  }

  /** Peers that are up and have not finished all rounds, in ascending order. */
  public List<PeerId> unfinishedPeers() {
    List<PeerId> unfinished = new ArrayList<>();
    for (int peer = 0; peer < spec.peers(); peer++) {
      if (peerTable.up[peer] && peerTable.finishedRounds[peer] < spec.rounds()) {
        unfinished.add(new PeerId(peer));
      }
    }
    return unfinished;
  }

  /** The states of all peers as they are now. */
  public GlobalView globalView() {
    return peerTable;
  }

  /** How often each {@link io.kindred.core.peer.Observation.Counted} name was observed. */
  public SortedMap<String, Long> counts() {
    return log.counts();
  }
}
