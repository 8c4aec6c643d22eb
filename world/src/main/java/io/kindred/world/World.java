package io.kindred.world;

import io.kindred.core.random.RandomStreams;
import java.util.List;

/** Everything that surrounds the peers of one run. */
public record World(
    Graph graph, Network network, Churn churn, Faults faults, RandomStreams streams) {
  /** Links learn who is there; where they say who can be heard, the graph shrinks to that. */
  public World {
    network = network.among(graph.peers(), streams);
    graph = network.links().audible(graph);
  }

  /** What may go wrong, in the order in which it is asked. */
  public List<Disturbance> disturbances() {
    return List.of(churn, faults);
  }

  /** Whether nobody ever comes or goes and nothing ever fails. */
  public boolean isCalm() {
    return churn.isCalm() && faults.isCalm();
  }

  public Device device(int participant) {
    return participant < graph.peers()
        ? network.devices().of(participant, streams)
        : network.devices().server();
  }

  public Link link(int from, int to, long round) {
    return linksOf(from, to).between(from, to, round, streams);
  }

  /** The links of which the way between two participants is one. */
  public Links linksOf(int from, int to) {
    return from < graph.peers() && to < graph.peers() ? network.links() : network.toServer();
  }

  /** How many times as fast as usual a participant computes in a turn of the world. */
  public double speed(int participant, long round) {
    return participant < graph.peers() ? network.devices().speed(participant, round, streams) : 1;
  }
}
