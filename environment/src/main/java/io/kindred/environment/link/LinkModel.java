package io.kindred.environment.link;

import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.topology.Graph;

/**
 * Says how the way between any two participants is; a record whose components are its settings. A
 * pure function, so that nobody has to keep a table of all pairs.
 */
public interface LinkModel {
  /**
   * How it is from one to another in some round.
   *
   * @param round the how-manieth stretch of {@code network.roundSeconds}
   */
  Link between(int from, int to, long round, RandomStreams streams);

  /** Whether links differ from round to round. */
  boolean varyOverTime();

  /** The links among so many peers, where it matters who else is there. */
  default LinkModel forPeers(int peers, RandomStreams streams) {
    return this;
  }

  /** Who stays whose neighbour when it matters who can reach whom. */
  default Graph restrictToReachable(Graph graph) {
    return graph;
  }

  /**
   * What came of trying to send a message.
   *
   * @param count how often it was sent
   * @param arrived whether the last attempt arrived
   * @param waitTicks how long it waited between attempts, beside what sending takes
   */
  record Attempts(int count, boolean arrived, long waitTicks) {}

  /**
   * Tries to send a message; by itself a link tries once.
   *
   * @param link what {@link #between} says of the way
   * @param random draws that are this message's own
   */
  default Attempts attempt(int from, int to, Link link, long tick, RandomStream random) {
    return new Attempts(1, !(random.nextDouble() < link.loss()), 0);
  }
}
