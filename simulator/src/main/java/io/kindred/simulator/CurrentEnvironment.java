package io.kindred.simulator;

import io.kindred.core.random.Purpose;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.device.Device;
import io.kindred.environment.link.Link;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.Rewiring;
import io.kindred.simulator.state.EnvironmentState;
import io.kindred.simulator.state.NetworkPartitions;

/** The environment as it is now: its round, the neighbour graph, and which connections are cut. */
final class CurrentEnvironment {
  private final SimulatedEnvironment environment;
  private final NetworkPartitions partitions;
  private final Device[] devices;
  private final boolean hasFaults;
  private long round;
  private boolean faultsEnded;
  private Graph graph;

  CurrentEnvironment(
      SimulatedEnvironment environment,
      int participants,
      EnvironmentState state,
      NetworkPartitions partitions) {
    this.environment = environment;
    this.partitions = partitions;
    hasFaults = !environment.isFaultFree();
    devices = new Device[participants];
    for (int i = 0; i < participants; i++) {
      devices[i] = environment.device(i);
    }
    round = state.round();
    faultsEnded = state.faultsEnded();
    graph = state.graph();
  }

  EnvironmentState snapshot() {
    return new EnvironmentState(round, faultsEnded, graph);
  }

  NetworkPartitions partitions() {
    return partitions;
  }

  Graph graph() {
    return graph;
  }

  /** Whether the environment ever changes. */
  boolean isDynamic() {
    return hasFaults || environment.network().variesOverTime();
  }

  /** Whether all faults of the run are over. */
  boolean faultsEnded() {
    return faultsEnded;
  }

  /** Whether no fault can affect a message: there are none, or they have ended. */
  boolean hasNoMessageFaults() {
    return !hasFaults || faultsEnded;
  }

  /** The link between two participants in the current round. */
  Link link(int from, int to) {
    return environment.link(from, to, round);
  }

  /** How long a participant's device computes in the current round. */
  long computeTicks(int participant, double operations) {
    return devices[participant].computeTicks(operations / environment.speed(participant, round));
  }

  /** The share of the time that a peer's device is online. */
  double availability(int peer) {
    return devices[peer].availability();
  }

  void beginRound(long number) {
    round = number;
  }

  /** Redraws some edges of the neighbour graph, and returns the graph before. */
  Graph rewire() {
    Graph before = graph;
    graph =
        new Rewiring(environment.network().rewire())
            .next(
                before,
                environment.graph().meanDegree(),
                environment.streams().stream(Purpose.TOPOLOGY, 0, round));
    return before;
  }

  void endFaults() {
    faultsEnded = true;
  }
}
