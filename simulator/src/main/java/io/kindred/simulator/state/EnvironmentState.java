package io.kindred.simulator.state;

import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.topology.Graph;

/**
 * The part of the environment that changes during a run.
 *
 * @param graph the neighbour graph as it was last drawn
 */
public record EnvironmentState(long round, boolean faultsEnded, Graph graph) {
  public static EnvironmentState of(SimulatedEnvironment environment) {
    return new EnvironmentState(0, false, environment.graph());
  }
}
