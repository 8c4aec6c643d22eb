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

/** Everything that surrounds the peers of one run: neighbour graph, network, churn and faults. */
public record SimulatedEnvironment(
    Graph graph, NetworkSettings network, ChurnModel churn, Faults faults, RandomStreams streams) {
  /**
   * Links may depend on the number of peers; where they limit which peers can reach each other, the
   * graph shrinks accordingly.
   */
  public SimulatedEnvironment {
    network = network.forPeers(graph.peers(), streams);
    graph = network.links().restrictToReachable(graph);
  }

  /** The sources of fault events, in the order in which they are queried. */
  public List<FaultSource> faultSources() {
    return List.of(churn, faults);
  }

  /** Whether there is neither churn nor any fault. */
  public boolean isFaultFree() {
    return churn.isFaultFree() && faults.isFaultFree();
  }

  public Device device(int participant) {
    return participant < graph.peers()
        ? network.devices().of(participant, streams)
        : network.serverDevice();
  }

  public Link link(int from, int to, long round) {
    return linksBetween(from, to).between(from, to, round, streams);
  }

  /** The link model between two participants: that between peers, or that to a server. */
  public LinkModel linksBetween(int from, int to) {
    return from < graph.peers() && to < graph.peers() ? network.links() : network.linksToServer();
  }

  /** The factor on a participant's usual computing speed in an environment round. */
  public double speed(int participant, long round) {
    return participant < graph.peers() ? network.devices().speed(participant, round, streams) : 1;
  }
}
