package io.kindred.simulator;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.link.Link;
import io.kindred.environment.link.RadioBlocks;
import io.kindred.environment.topology.Graph;
import io.kindred.runtime.ComputeBudget;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.BandwidthModel;
import io.kindred.simulator.state.NetworkPartitions;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.RadioQueues;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSnapshot.SimulatorState;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.TimeBreakdown;
import io.kindred.simulator.state.Traffic;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Interprets the effects of all peers in virtual time. The same spec gives the same events,
 * whatever the number of workers, and a run resumed from a {@link SimulationSnapshot} continues as
 * if it had never stopped.
 *
 * <p>The parts know only those made before them: clock, event queue and peer table hold the state,
 * the network and the log act on them, the stepper steps peers, and the driver changes their
 * environment.
 */
public final class Simulation {
  /** Environment events in a row, with no peer event queued, after which a run counts as over. */
  private static final long MAX_IDLE_ENVIRONMENT_TICKS = 1_000;

  private final SimulationSpec spec;
  private final StepListener listener;
  private final VirtualClock clock;
  private final ComputeScheduler computeScheduler;
  private final EventQueue queue;
  private final PeerTable peerTable;
  private final CurrentEnvironment environment;
  private final RunStatistics statistics;
  private final SimulatedNetwork network;
  private final Trace trace;
  private final PeerStepper stepper;
  private final EnvironmentDriver environmentDriver;
  private long idleEnvironmentTicks;

  /** A run from the start. */
  public Simulation(
      SimulationSpec spec,
      Workers workers,
      SimulationListener listener,
      ShellService service,
      StepListener stepListener) {
    this(spec, workers, listener, service, stepListener, SimulationSnapshot.initial(spec));
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
    this.spec = spec;
    this.listener = stepListener;
    SimulatorState saved = snapshot.simulatorState();
    int participants = spec.participants().size();
    SimulatedEnvironment surroundings = spec.environment();
    clock = new VirtualClock(surroundings, participants, saved.tick());
    computeScheduler = new ComputeScheduler(spec, workers, ComputeBudget.ofThisProcess());
    queue =
        new EventQueue(clock, computeScheduler, saved.queue(), saved.deferred(), saved.sequences());
    peerTable =
        new PeerTable(
            snapshot.peerStates(),
            snapshot.savedStates(),
            saved.peerTable(),
            spec.peers(),
            spec.rounds(),
            !surroundings.isFaultFree());
    environment =
        new CurrentEnvironment(
            surroundings,
            participants,
            saved.environment(),
            new NetworkPartitions(saved.partitions()));
    statistics =
        new RunStatistics(
            new Traffic(saved.traffic()), new TimeBreakdown(saved.timeBreakdown()), saved.counts());
    BandwidthModel bandwidth = new BandwidthModel(surroundings, participants, saved.bandwidth());
    network =
        new SimulatedNetwork(
            spec,
            clock,
            queue,
            peerTable,
            environment,
            bandwidth,
            new RadioQueues(saved.radio()),
            statistics,
            stepListener);
    ObservationLog log = new ObservationLog(spec, clock, peerTable, statistics, listener);
    EffectInterpreter effects =
        new EffectInterpreter(
            spec, clock, queue, peerTable, environment, network, statistics, log, service);
    trace = new Trace(saved.traceHash(), saved.events());
    stepper = new PeerStepper(spec, clock, peerTable, trace, effects, stepListener);
    environmentDriver =
        new EnvironmentDriver(spec, clock, queue, peerTable, environment, stepper, stepListener);
    idleEnvironmentTicks = saved.idleEnvironmentTicks();
  }

  /** Processes the next event; returns false when the run is over. */
  public boolean step() {
    boolean endless = environment.isDynamic() || spec.continuesAfterLastRound();
    if (endless && (peerTable.allFinished() || idleEnvironmentTicks > MAX_IDLE_ENVIRONMENT_TICKS)) {
      return false;
    }
    QueueEntry next = queue.take();
    if (next == null) {
      return false;
    }
    if (next.event().isEnvironmental()) {
      idleEnvironmentTicks = queue.peerEvents() > 0 ? 0 : idleEnvironmentTicks + 1;
      environmentDriver.process(next.event());
      return true;
    }
    if (next.event() instanceof QueuedEvent.RadioBlock(long number)) {
      network.playRadioBlock(number);
      return true;
    }
    int receiver = (int) next.key().receiver();
    if (peerTable.isPaused(receiver)) {
      queue.defer(next);
    } else if (peerTable.isUp(receiver)) {
      process(receiver, next);
    } else {
      receiverIsDown(next);
    }
    listener.queued(queue.peerEvents());
    return true;
  }

  private void receiverIsDown(QueueEntry next) {
    switch (next.event()) {
      case QueuedEvent.Arrival arrival -> network.reportUndeliverable(arrival.transfer());
      case QueuedEvent.FirstByte firstByte -> network.reportUndeliverable(firstByte.transfer());
      default -> cancel(next);
    }
  }

  private void process(int receiver, QueueEntry next) {
    switch (next.event()) {
      case QueuedEvent.Start start ->
          stepper.deliverToAll(
              receiver, new Event.Started(clock.localTick(receiver), start.neighbours()));
      case QueuedEvent.Arrival arrival ->
          network
              .receive(arrival)
              .ifPresent(
                  received -> stepper.deliver(receiver, arrival.transfer().component(), received));
      case QueuedEvent.TimerExpiry timerExpiry
          when isCurrentIncarnation(receiver, timerExpiry.incarnation()) ->
          stepper.deliver(
              receiver,
              timerExpiry.component(),
              new Event.TimerFired(clock.localTick(receiver), timerExpiry.timer()));
      case QueuedEvent.Work work when isCurrentIncarnation(receiver, work.incarnation()) ->
          stepper.deliver(
              receiver,
              work.component(),
              new Event.Computed(clock.localTick(receiver), work.ticket(), resultOf(next)));
      case QueuedEvent.ShellReply shellReply
          when isCurrentIncarnation(receiver, shellReply.incarnation()) ->
          stepper.deliver(
              receiver,
              shellReply.component(),
              new Event.Notified(clock.localTick(receiver), Component.SHELL, shellReply.message()));
      case QueuedEvent.SendFailure sendFailure
          when isCurrentIncarnation(receiver, sendFailure.incarnation()) ->
          stepper.deliver(
              receiver,
              sendFailure.component(),
              new Event.SendFailed(
                  clock.localTick(receiver), sendFailure.to(), sendFailure.message()));
      case QueuedEvent.FirstByte firstByte -> network.firstByteArrived(firstByte);
      case QueuedEvent.Departure departure
          when isCurrentIncarnation(receiver, departure.incarnation()) ->
          environmentDriver.completeLeave(receiver);
      case QueuedEvent.NeighbourUpdate _ -> environmentDriver.updateNeighbours(receiver);
      case QueuedEvent.LinkMeasurement(PeerId neighbour, Link link) ->
          stepper.deliverToAll(
              receiver,
              new Event.LinkMeasured(
                  clock.localTick(receiver),
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
      case QueuedEvent.EnvironmentTick _,
          QueuedEvent.EnvironmentChange _,
          QueuedEvent.RadioBlock _ ->
          throw new IllegalStateException("not an event for a peer: " + next);
    }
  }

  private boolean isCurrentIncarnation(int participant, long incarnation) {
    return peerTable.incarnation(participant) == incarnation;
  }

  private Result resultOf(QueueEntry next) {
    ComputeScheduler.Computation computation = next.computation();
    if (computation == null) {
      throw new IllegalStateException("work without a computation at " + next.key());
    }
    return computeScheduler.await(computation);
  }

  private void cancel(QueueEntry next) {
    ComputeScheduler.Computation computation = next.computation();
    if (computation != null) {
      computeScheduler.cancel(computation);
    }
  }

  /** The complete state between two events. */
  public SimulationSnapshot snapshot() {
    return new SimulationSnapshot(
        new SimulatorState(
            clock.tick(),
            trace.head(),
            trace.events(),
            queue.queued(),
            queue.deferred(),
            queue.sequences(),
            statistics.traffic().snapshot(),
            new TreeMap<>(statistics.counts()),
            peerTable.snapshot(),
            network.bandwidth(),
            network.radio(),
            environment.partitions().snapshot(),
            environment.snapshot(),
            statistics.timeBreakdown().snapshot(),
            idleEnvironmentTicks),
        peerTable.states(),
        peerTable.savedStates());
  }

  /** The neighbour graph at the start of the run. */
  public Graph initialGraph() {
    return spec.environment().graph();
  }

  /** The radio between the peers; empty if they have links of another kind. */
  public Optional<RadioBlocks> radio() {
    return spec.environment().network().links().radioBlocks();
  }

  /** Finished rounds of all peers together; a server does not count. */
  public long totalFinishedRounds() {
    return peerTable.totalFinishedRounds();
  }

  public long tick() {
    return clock.tick();
  }

  public Digest traceHash() {
    return trace.head();
  }

  public long events() {
    return trace.events();
  }

  public Traffic traffic() {
    return statistics.traffic();
  }

  /** How much virtual time peers spent on each activity. */
  public TimeBreakdown timeBreakdown() {
    return statistics.timeBreakdown();
  }

  /** Peers that are up and have not finished all rounds, in ascending order. */
  public List<PeerId> unfinishedPeers() {
    return peerTable.unfinishedPeers();
  }

  /** The states of all peers as they are now. */
  public GlobalView globalView() {
    return peerTable;
  }

  /** How often each {@link io.kindred.core.peer.Observation.Counted} name was observed. */
  public SortedMap<String, Long> counts() {
    return statistics.counts();
  }
}
