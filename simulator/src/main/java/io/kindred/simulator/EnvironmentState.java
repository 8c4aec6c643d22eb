package io.kindred.simulator;

import io.kindred.world.Graph;
import io.kindred.world.World;

/**
 * What changes of the environment during a run.
 *
 * @param graph the neighbour graph as it was last drawn
 */
record EnvironmentState(long round, boolean calmed, Graph graph) {
  static EnvironmentState of(World world) {
    return new EnvironmentState(0, false, world.graph());
  }
}
