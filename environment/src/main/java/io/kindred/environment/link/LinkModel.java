package io.kindred.environment.link;

import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import java.util.List;
import java.util.Optional;

/**
 * Describes the link between any two participants; a record whose components are its settings. A
 * pure function, so that no table of all pairs is needed.
 */
public interface LinkModel {
  /**
   * The link between two participants in an environment round.
   *
   * @param round index of the interval of {@code network.roundSeconds}
   */
  Link between(int from, int to, long round, RandomStreams streams);

  /** Whether links differ from round to round. */
  boolean varyOverTime();

  /** The same model with its files read; invalid contents are refused. */
  default LinkModel read(int peers, TextFiles files) {
    return this;
  }

  /**
   * The model for this number of peers, where links depend on all peers.
   *
   * @param roundSeconds length of an environment round
   */
  default LinkModel forPeers(int peers, double roundSeconds, RandomStreams streams) {
    return this;
  }

  /** The graph without the edges between peers that cannot reach each other. */
  default Graph restrictToReachable(Graph graph) {
    return graph;
  }

  /**
   * For each peer the neighbours that it receives models from, where links serve one direction
   * only; empty where neighbours exchange models both ways.
   */
  default Optional<List<Ints>> chosenNeighbours(Graph reachable) {
    return Optional.empty();
  }

  /** What a user should know about the peers that can reach each other. */
  default List<String> warnings(Graph reachable) {
    return List.of();
  }

  /** The radio over which peers transfer messages in blocks; empty for links of other kinds. */
  default Optional<RadioBlocks> radioBlocks() {
    return Optional.empty();
  }
}
