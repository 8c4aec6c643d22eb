package io.kindred.environment.link;

import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.topology.Graph;

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

  /** The model for this number of peers, where links depend on all peers. */
  default LinkModel forPeers(int peers, RandomStreams streams) {
    return this;
  }

  /** The graph without the edges between peers that cannot reach each other. */
  default Graph restrictToReachable(Graph graph) {
    return graph;
  }

  /**
   * The outcome of sending a message.
   *
   * @param count number of attempts
   * @param arrived whether the last attempt arrived
   * @param waitTicks time between attempts, beside the sending itself
   */
  record Attempts(int count, boolean arrived, long waitTicks) {}

  /**
   * Attempts to send a message; by default once.
   *
   * @param link what {@link #between} returns for the pair
   * @param random the message's own random stream
   */
  default Attempts attempt(int from, int to, Link link, long tick, RandomStream random) {
    return new Attempts(1, !(random.nextDouble() < link.loss()), 0);
  }
}
