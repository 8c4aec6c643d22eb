package io.kindred.environment;

import io.kindred.core.random.RandomStreams;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.device.Device;
import io.kindred.environment.fault.FaultSource;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.Link;
import io.kindred.environment.link.LinkModel;
import io.kindred.environment.topology.Graph;
import java.util.List;

/** Everything that surrounds the peers of one run. */
public record SimulatedEnvironment(
    Graph graph, NetworkSettings network, ChurnModel churn, Faults faults, RandomStreams streams) {
  /** Links learn who is there; where they say who can be heard, the graph shrinks to that. */
  public SimulatedEnvironment {
    network = network.forPeers(graph.peers(), streams);
    graph = network.links().restrictToReachable(graph);
  }

  /** What may go wrong, in the order in which it is asked. */
  public List<FaultSource> faultSources() {
    return List.of(churn, faults);
  }

  /** Whether nobody ever comes or goes and nothing ever fails. */
  public boolean isFaultFree() {
    return churn.isFaultFree() && faults.isFaultFree();
  }

  public Device device(int participant) {
    return participant < graph.peers()
        ? network.devices().of(participant, streams)
        : network.devices().server();
  }

  public Link link(int from, int to, long round) {
    return linksBetween(from, to).between(from, to, round, streams);
  }

  /** The links of which the way between two participants is one. */
  public LinkModel linksBetween(int from, int to) {
    return from < graph.peers() && to < graph.peers() ? network.links() : network.linksToServer();
  }

  /** How many times as fast as usual a participant computes in a turn of the world. */
  public double speed(int participant, long round) {
    return participant < graph.peers() ? network.devices().speed(participant, round, streams) : 1;
  }
}
