package io.kindred.simulator;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.random.Purpose;
import io.kindred.core.weights.Ints;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.device.Device;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.FaultSource;
import io.kindred.environment.fault.LivenessView;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.Rewiring;
import io.kindred.simulator.state.EnvironmentState;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Applies everything that peers do not cause: environment rounds, churn, faults and rewiring. In a
 * static environment it only starts every participant with its neighbours.
 */
final class EnvironmentDriver {
  private final Simulation simulation;
  private final SimulationSpec spec;
  private final SimulatedEnvironment environment;
  private final PeerTable peerTable;
  private final SimulatedNetwork network;
  private final List<FaultSource> faultSources;
  private final Device[] devices;
  private final double[] clockRates;
  private final boolean hasFaults;
  private final LivenessView liveness = new PeerLiveness();
  private long round;
  private boolean faultsEnded;
  private Graph graph;

  EnvironmentDriver(
      Simulation simulation,
      SimulationSpec spec,
      PeerTable peerTable,
      SimulatedNetwork simulatedNetwork,
      EnvironmentState snapshot) {
    this.simulation = simulation;
    this.spec = spec;
    this.peerTable = peerTable;
    this.network = simulatedNetwork;
    environment = spec.environment();
    faultSources = environment.faultSources();
    hasFaults = !environment.isFaultFree();
    int participants = spec.participants().size();
    devices = new Device[participants];
    clockRates = new double[participants];
    for (int i = 0; i < participants; i++) {
      devices[i] = environment.device(i);
      clockRates[i] = environment.faults().clockRate(i, environment.streams());
    }
    round = snapshot.round();
    faultsEnded = snapshot.faultsEnded();
    graph = snapshot.graph();
  }

  EnvironmentState snapshot() {
    return new EnvironmentState(round, faultsEnded, graph);
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
      return devices[peer].availability();
    }
  }

  /** Starts every participant; the first environment round precedes that. */
  void start() {
    if (isDynamic()) {
      simulation.scheduleEnvironment(0, new QueuedEvent.EnvironmentTick(0));
      if (environment.faults().endTick() < Long.MAX_VALUE) {
        simulation.scheduleEnvironment(
            environment.faults().endTick(),
            new QueuedEvent.EnvironmentChange(
                0, new FaultEvent.FaultsEnd(environment.faults().endTick())));
      }
    }
    for (int i = 0; i < spec.participants().size(); i++) {
      List<PeerId> neighbours = neighbours(i);
      peerTable.knownNeighbours.set(i, neighbours);
      simulation.schedule(0, i, i, new QueuedEvent.Start(neighbours));
      scheduleLinkMeasurements(i, 0);
    }
  }

  /** Whether the environment ever changes. */
  boolean isDynamic() {
    return hasFaults || environment.network().variesOverTime();
  }

  long round() {
    return round;
  }

  /** Whether no fault can affect a message: there are none, or they have ended. */
  boolean hasNoMessageFaults() {
    return !hasFaults || faultsEnded;
  }

  long localClock(int participant, long tick) {
    double rate = clockRates[participant];
    return rate == 1 ? tick : (long) (tick * rate);
  }

  /** Global ticks until this many ticks have passed on a participant's own clock. */
  long toGlobalTicks(int participant, long localTicks) {
    double rate = clockRates[participant];
    return Math.max(1, rate == 1 ? localTicks : (long) Math.ceil(localTicks / rate));
  }

  long computeTicks(int participant, double operations) {
    return devices[participant].computeTicks(operations / environment.speed(participant, round));
  }

  /** Saves the state that a peer would find on its disk after a crash from now on. */
  void saveState(int participant) {
    if (hasFaults) {
      peerTable.savedStates[participant] = peerTable.states[participant];
    }
  }

  private List<PeerId> neighbours(int participant) {
    if (participant >= graph.peers()) {
      return List.of();
    }
    Ints list = graph.neighbours().get(participant);
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
      simulation.schedule(
          simulation.tick() + delay,
          participant,
          participant,
          new QueuedEvent.LinkMeasurement(
              neighbour, environment.link(participant, (int) neighbour.number(), round)));
    }
  }

  void process(QueuedEvent event) {
    switch (event) {
      case QueuedEvent.EnvironmentTick environmentTick -> advanceRound(environmentTick.round());
      case QueuedEvent.EnvironmentChange environmentChange -> processFault(environmentChange);
      default -> throw new IllegalStateException("not for the world: " + event);
    }
  }

  private void advanceRound(long number) {
    round = number;
    FaultSource.Interval next =
        new FaultSource.Interval(number, simulation.tick(), environment.network().roundTicks());
    for (int source = 0; source < faultSources.size() && !faultsEnded; source++) {
      for (FaultEvent fault :
          faultSources.get(source).eventsDuring(next, liveness, environment.streams())) {
        simulation.scheduleEnvironment(
            fault.tick(), new QueuedEvent.EnvironmentChange(source, fault));
      }
    }
    if (number > 0) {
      rewire(number);
    }
    if (number > 0 && environment.network().linksVary()) {
      for (int i = 0; i < spec.participants().size(); i++) {
        scheduleLinkMeasurements(i, 1);
      }
    }
    if (!faultsEnded || environment.network().variesOverTime()) {
      simulation.scheduleEnvironment(
          simulation.tick() + environment.network().roundTicks(),
          new QueuedEvent.EnvironmentTick(number + 1));
    }
  }

  /** Redraws some edges; every peer whose neighbourhood changed is notified in the next tick. */
  private void rewire(long number) {
    Graph before = graph;
    graph =
        new Rewiring(environment.network().rewire())
            .next(
                before,
                environment.graph().meanDegree(),
                environment.streams().stream(Purpose.TOPOLOGY, 0, number));
    for (int peer = 0; peer < graph.peers(); peer++) {
      if (!graph.neighbours().get(peer).equals(before.neighbours().get(peer))) {
        simulation.schedule(simulation.tick() + 1, peer, peer, new QueuedEvent.NeighbourUpdate());
      }
    }
  }

  private void processFault(QueuedEvent.EnvironmentChange environmentChange) {
    FaultEvent fault = environmentChange.fault();
    if (faultsEnded) {
      return;
    }
    apply(fault);
    simulation.faultOccurred(fault);
    long count =
        switch (fault) {
          case FaultEvent.Crash(long _, int peer, boolean _) -> ++peerTable.faultCounts[peer];
          case FaultEvent.Return(long _, int peer) -> ++peerTable.faultCounts[peer];
          default -> 0;
        };
    faultSources
        .get(environmentChange.source())
        .followUp(fault, count, liveness, environment.streams())
        .ifPresent(
            next ->
                simulation.scheduleEnvironment(
                    next.tick(),
                    new QueuedEvent.EnvironmentChange(environmentChange.source(), next)));
  }

  private void apply(FaultEvent fault) {
    switch (fault) {
      case FaultEvent.Leave(long _, int peer) -> requestLeave(peer);
      case FaultEvent.Crash(long _, int peer, boolean losesState) -> {
        if (peerTable.up[peer]) {
          if (losesState) {
            peerTable.savedStates[peer] = null;
          }
          takeDown(peer);
        }
      }
      case FaultEvent.Return(long _, int peer) -> bringUp(peer);
      case FaultEvent.Pause(long _, int peer) -> peerTable.paused[peer] = peerTable.up[peer];
      case FaultEvent.Resume(long _, int peer) -> resume(peer);
      case FaultEvent.SpeedChange(long _, int peer, double factor) ->
          peerTable.slowness[peer] = factor;
      case FaultEvent.Partition(long _, Ints groups) -> network.partitions().partition(groups);
      case FaultEvent.LinkCut(long _, int from, int to) -> network.partitions().cutLink(from, to);
      case FaultEvent.Heal _ -> network.partitions().heal();
      case FaultEvent.FaultsEnd _ -> endFaults();
    }
  }

  private void requestLeave(int peer) {
    if (!peerTable.up[peer] || peerTable.paused[peer]) {
      return;
    }
    simulation.schedule(
        simulation.tick() + environment.network().noticeTicks(),
        peer,
        peer,
        new QueuedEvent.Departure(peerTable.incarnations[peer]));
    simulation.deliverToAll(peer, new Event.LeaveRequested(simulation.localClock(peer)));
  }

  /** The time of a peer that was asked to leave is over; its state is saved first. */
  void completeLeave(int peer) {
    saveState(peer);
    takeDown(peer);
  }

  private void takeDown(int peer) {
    peerTable.markDown(peer);
    simulation.releaseDeferred(peer);
    scheduleNeighbourUpdates(peer);
  }

  private void bringUp(int peer) {
    if (peerTable.up[peer]) {
      return;
    }
    @Nullable PeerState saved = peerTable.savedStates[peer];
    peerTable.markUp(
        peer, saved == null ? spec.participants().get(peer).initial() : saved, simulation.tick());
    List<PeerId> neighbours = neighbours(peer);
    peerTable.knownNeighbours.set(peer, neighbours);
    long clock = simulation.localClock(peer);
    simulation.deliverToAll(
        peer,
        saved == null
            ? new Event.Started(clock, neighbours)
            : new Event.Restored(clock, neighbours));
    scheduleLinkMeasurements(peer, 1);
    scheduleNeighbourUpdates(peer);
  }

  private void resume(int peer) {
    if (peerTable.paused[peer]) {
      peerTable.paused[peer] = false;
      simulation.releaseDeferred(peer);
    }
  }

  private void endFaults() {
    network.partitions().heal();
    for (int participant = 0; participant < spec.participants().size(); participant++) {
      peerTable.slowness[participant] = 1;
      resume(participant);
      bringUp(participant);
    }
    faultsEnded = true;
  }

  /** The neighbours of a peer are soon notified that it is down, or up again. */
  private void scheduleNeighbourUpdates(int peer) {
    if (peer >= graph.peers()) {
      return; // a server, which is no peer's neighbour
    }
    Ints adjacent = graph.neighbours().get(peer);
    for (int i = 0; i < adjacent.size(); i++) {
      simulation.schedule(
          simulation.tick() + environment.network().noticeTicks(),
          adjacent.get(i),
          peer,
          new QueuedEvent.NeighbourUpdate());
    }
  }

  /** Notifies a peer of its current neighbours, unless it knows them already. */
  void updateNeighbours(int peer) {
    List<PeerId> now = neighbours(peer);
    if (!now.equals(peerTable.knownNeighbours.get(peer))) {
      peerTable.knownNeighbours.set(peer, now);
      simulation.deliverToAll(
          peer, new Event.NeighboursChanged(simulation.localClock(peer), new ArrayList<>(now)));
      scheduleLinkMeasurements(peer, 1);
    }
  }
}
