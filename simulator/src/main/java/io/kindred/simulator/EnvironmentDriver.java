package io.kindred.simulator;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.Ints;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.FaultSource;
import io.kindred.environment.fault.LivenessView;
import io.kindred.environment.topology.Graph;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Applies everything that peers do not cause: environment rounds, churn, faults and rewiring. In a
 * static environment it only starts every participant with its neighbours.
 */
final class EnvironmentDriver {
  private final SimulationSpec spec;
  private final SimulatedEnvironment environment;
  private final VirtualClock clock;
  private final EventQueue queue;
  private final PeerTable peerTable;
  private final CurrentEnvironment current;
  private final PeerStepper stepper;
  private final StepListener listener;
  private final List<FaultSource> faultSources;
  private final LivenessView liveness = new PeerLiveness();

  EnvironmentDriver(
      SimulationSpec spec,
      VirtualClock clock,
      EventQueue queue,
      PeerTable peerTable,
      CurrentEnvironment current,
      PeerStepper stepper,
      StepListener listener) {
    this.spec = spec;
    this.clock = clock;
    this.queue = queue;
    this.peerTable = peerTable;
    this.current = current;
    this.stepper = stepper;
    this.listener = listener;
    environment = spec.environment();
    faultSources = environment.faultSources();
  }

  /** What a fault source may know of the peers. */
  private final class PeerLiveness implements LivenessView {
    @Override
    public int peers() {
      return peerTable.peers();
    }

    @Override
    public boolean hasServer() {
      return spec.participants().size() > spec.peers();
    }

    @Override
    public boolean isUp(int peer) {
      return peerTable.isUp(peer);
    }

    @Override
    public double availability(int peer) {
      return current.availability(peer);
    }
  }

  /** Starts every participant; the first environment round precedes that. */
  void start() {
    if (current.isDynamic()) {
      queue.scheduleEnvironment(0, new QueuedEvent.EnvironmentTick(0));
      if (environment.faults().endTick() < Long.MAX_VALUE) {
        queue.scheduleEnvironment(
            environment.faults().endTick(),
            new QueuedEvent.EnvironmentChange(
                0, new FaultEvent.FaultsEnd(environment.faults().endTick())));
      }
    }
    for (int i = 0; i < spec.participants().size(); i++) {
      List<PeerId> neighbours = neighbours(i);
      peerTable.setKnownNeighbours(i, neighbours);
      queue.schedule(0, i, i, new QueuedEvent.Start(neighbours));
      scheduleLinkMeasurements(i, 0);
    }
  }

  private List<PeerId> neighbours(int participant) {
    if (participant >= current.graph().peers()) {
      return List.of();
    }
    Ints list = current.graph().neighbours().get(participant);
    return IntStream.range(0, list.size())
        .map(list::get)
        .filter(peerTable::isUp)
        .mapToObj(PeerId::new)
        .toList();
  }

  private void scheduleLinkMeasurements(int participant, long delay) {
    if (!spec.measuresLinks()) {
      return;
    }
    for (PeerId neighbour : neighbours(participant)) {
      queue.schedule(
          clock.tick() + delay,
          participant,
          participant,
          new QueuedEvent.LinkMeasurement(
              neighbour, current.link(participant, (int) neighbour.number())));
    }
  }

  void process(QueuedEvent event) {
    switch (event) {
      case QueuedEvent.EnvironmentTick environmentTick -> advanceRound(environmentTick.round());
      case QueuedEvent.EnvironmentChange environmentChange -> processFault(environmentChange);
      default -> throw new IllegalStateException("not an event for the environment: " + event);
    }
  }

  private void advanceRound(long number) {
    current.beginRound(number);
    FaultSource.Interval next =
        new FaultSource.Interval(number, clock.tick(), environment.network().roundTicks());
    for (int source = 0; source < faultSources.size() && !current.faultsEnded(); source++) {
      for (FaultEvent fault :
          faultSources.get(source).eventsDuring(next, liveness, environment.streams())) {
        queue.scheduleEnvironment(fault.tick(), new QueuedEvent.EnvironmentChange(source, fault));
      }
    }
    if (number > 0) {
      rewire();
    }
    if (number > 0 && environment.network().linksVary()) {
      for (int i = 0; i < spec.participants().size(); i++) {
        scheduleLinkMeasurements(i, 1);
      }
    }
    if (!current.faultsEnded() || environment.network().variesOverTime()) {
      queue.scheduleEnvironment(
          clock.tick() + environment.network().roundTicks(),
          new QueuedEvent.EnvironmentTick(number + 1));
    }
  }

  /** Every peer whose neighbourhood changed is notified in the next tick. */
  private void rewire() {
    Graph before = current.rewire();
    Graph after = current.graph();
    for (int peer = 0; peer < after.peers(); peer++) {
      if (!after.neighbours().get(peer).equals(before.neighbours().get(peer))) {
        queue.schedule(clock.tick() + 1, peer, peer, new QueuedEvent.NeighbourUpdate());
      }
    }
  }

  private void processFault(QueuedEvent.EnvironmentChange environmentChange) {
    FaultEvent fault = environmentChange.fault();
    if (current.faultsEnded()) {
      return;
    }
    apply(fault);
    listener.faultOccurred(fault);
    long count =
        switch (fault) {
          case FaultEvent.Crash(long _, int peer, boolean _) -> peerTable.countFault(peer);
          case FaultEvent.Return(long _, int peer) -> peerTable.countFault(peer);
          default -> 0;
        };
    faultSources
        .get(environmentChange.source())
        .followUp(fault, count, liveness, environment.streams())
        .ifPresent(
            next ->
                queue.scheduleEnvironment(
                    next.tick(),
                    new QueuedEvent.EnvironmentChange(environmentChange.source(), next)));
  }

  private void apply(FaultEvent fault) {
    switch (fault) {
      case FaultEvent.Leave(long _, int peer) -> requestLeave(peer);
      case FaultEvent.Crash(long _, int peer, boolean losesState) -> {
        if (peerTable.isUp(peer)) {
          if (losesState) {
            peerTable.eraseSavedState(peer);
          }
          takeDown(peer);
        }
      }
      case FaultEvent.Return(long _, int peer) -> bringUp(peer);
      case FaultEvent.Pause(long _, int peer) -> peerTable.pause(peer);
      case FaultEvent.Resume(long _, int peer) -> resume(peer);
      case FaultEvent.SpeedChange(long _, int peer, double factor) ->
          peerTable.setSlowness(peer, factor);
      case FaultEvent.Partition(long _, Ints groups) -> current.partitions().partition(groups);
      case FaultEvent.LinkCut(long _, int from, int to) -> current.partitions().cutLink(from, to);
      case FaultEvent.Heal _ -> current.partitions().heal();
      case FaultEvent.FaultsEnd _ -> endFaults();
    }
  }

  private void requestLeave(int peer) {
    if (!peerTable.isUp(peer) || peerTable.isPaused(peer)) {
      return;
    }
    queue.schedule(
        clock.tick() + environment.network().noticeTicks(),
        peer,
        peer,
        new QueuedEvent.Departure(peerTable.incarnation(peer)));
    stepper.deliverToAll(peer, new Event.LeaveRequested(clock.localTick(peer)));
  }

  /** The time of a peer that was asked to leave is over; its state is saved first. */
  void completeLeave(int peer) {
    peerTable.saveState(peer);
    takeDown(peer);
  }

  private void takeDown(int peer) {
    peerTable.markDown(peer);
    queue.releaseDeferred(peer);
    scheduleNeighbourUpdates(peer);
  }

  private void bringUp(int peer) {
    if (peerTable.isUp(peer)) {
      return;
    }
    Optional<PeerState> saved = peerTable.savedState(peer);
    peerTable.markUp(
        peer, saved.orElseGet(() -> spec.participants().get(peer).initial()), clock.tick());
    List<PeerId> neighbours = neighbours(peer);
    peerTable.setKnownNeighbours(peer, neighbours);
    long localTick = clock.localTick(peer);
    stepper.deliverToAll(
        peer,
        saved.isPresent()
            ? new Event.Restored(localTick, neighbours)
            : new Event.Started(localTick, neighbours));
    scheduleLinkMeasurements(peer, 1);
    scheduleNeighbourUpdates(peer);
  }

  private void resume(int peer) {
    if (peerTable.resume(peer)) {
      queue.releaseDeferred(peer);
    }
  }

  private void endFaults() {
    current.partitions().heal();
    for (int participant = 0; participant < spec.participants().size(); participant++) {
      peerTable.setSlowness(participant, 1);
      resume(participant);
      bringUp(participant);
    }
    current.endFaults();
  }

  /** The neighbours of a peer are soon notified that it is down, or up again. */
  private void scheduleNeighbourUpdates(int peer) {
    if (peer >= current.graph().peers()) {
      return; // a server, which is no peer's neighbour
    }
    Ints adjacent = current.graph().neighbours().get(peer);
    for (int i = 0; i < adjacent.size(); i++) {
      queue.schedule(
          clock.tick() + environment.network().noticeTicks(),
          adjacent.get(i),
          peer,
          new QueuedEvent.NeighbourUpdate());
    }
  }

  /** Notifies a peer of its current neighbours, unless it knows them already. */
  void updateNeighbours(int peer) {
    List<PeerId> now = neighbours(peer);
    if (peerTable.setKnownNeighbours(peer, now)) {
      stepper.deliverToAll(
          peer, new Event.NeighboursChanged(clock.localTick(peer), new ArrayList<>(now)));
      scheduleLinkMeasurements(peer, 1);
    }
  }
}
