package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.trace.Timeline;
import io.kindred.environment.trace.TraceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Links as a file lists them, such as measured ones. A link holds from the time of its row until
 * the next row of the same direction, and is down before the first one.
 */
@Named(value = "trace", summary = "throughput, latency and loss of links as a file lists them")
public record TracedLinks(
    @Setting(
            doc =
                "path of the file, relative to the working directory: a line of column names, from,"
                    + " to, bytesPerSecond and optionally seconds, latencySeconds and loss, then a"
                    + " line for each link; peers that it does not connect in both directions are"
                    + " no neighbours",
            fallback = "links.csv")
        String path,
    @Setting(
            doc = "latency in seconds where the file has no latencySeconds",
            fallback = "0.005",
            above = 0,
            max = 3600)
        double latencySeconds)
    implements LinkModel {
  @Override
  public LinkModel read(int peers, TextFiles files) {
    TreeMap<Integer, TreeMap<Integer, Timeline<Link>>> links = new TreeMap<>();
    for (TraceFile.Row row :
        TraceFile.read("network.links.path", path, files, List.of("from", "to", "bytesPerSecond"))
            .rows()) {
      int from = row.peer("from", peers);
      int to = row.peer("to", peers);
      double bytesPerSecond = row.number("bytesPerSecond", 0, 1e15);
      Link link =
          new Link(
              Ticks.ofSeconds(row.number("latencySeconds", latencySeconds, 0, 3600)),
              bytesPerSecond,
              row.number("loss", 0, 0, 1));
      if (from == to) {
        throw row.invalid("peer " + from + " has no link to itself");
      }
      if (!links
          .computeIfAbsent(from, unseen -> new TreeMap<>())
          .computeIfAbsent(to, unseen -> new Timeline<>())
          .add(row.seconds(), bytesPerSecond == 0 ? link.down() : link)) {
        throw row.invalid("this direction has two links at this time");
      }
    }
    return new Recorded(links, peers, latencySeconds, 0);
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    throw new IllegalStateException("call read() before between()");
  }

  @Override
  public boolean varyOverTime() {
    return true;
  }

  /**
   * The links that the file lists, by sender and receiver.
   *
   * @param roundSeconds length of an environment round, at whose start links change
   */
  private record Recorded(
      TreeMap<Integer, TreeMap<Integer, Timeline<Link>>> links,
      int peers,
      double latencySeconds,
      double roundSeconds)
      implements LinkModel {
    @Override
    public LinkModel forPeers(int number, double length, RandomStreams streams) {
      return new Recorded(links, peers, latencySeconds, length);
    }

    @Override
    public Link between(int from, int to, long round, RandomStreams streams) {
      Link usual = new Link(Ticks.ofSeconds(latencySeconds), Double.POSITIVE_INFINITY, 0);
      if (from >= peers || to >= peers) {
        return usual; // a server, which is reached by wire
      }
      Timeline<Link> times = links.getOrDefault(from, new TreeMap<>()).get(to);
      return times == null ? usual.down() : times.at(round * roundSeconds).orElseGet(usual::down);
    }

    private boolean connects(int from, int to) {
      return links.getOrDefault(from, new TreeMap<>()).containsKey(to);
    }

    @Override
    public Graph restrictToReachable(Graph graph) {
      Graph.Builder reachable = new Graph.Builder(graph.peers());
      for (int peer = 0; peer < graph.peers(); peer++) {
        Ints neighbours = graph.neighbours().get(peer);
        for (int i = 0; i < neighbours.size(); i++) {
          if (connects(peer, neighbours.get(i)) && connects(neighbours.get(i), peer)) {
            reachable.connect(peer, neighbours.get(i));
          }
        }
      }
      return reachable.build();
    }

    @Override
    public List<String> warnings(Graph reachable) {
      List<Integer> alone = new ArrayList<>();
      for (int peer = 0; peer < reachable.peers(); peer++) {
        if (reachable.degree(peer) == 0) {
          alone.add(peer);
        }
      }
      return LonePeers.warning(
          alone,
          "'network.links.path': the file lists no link in both directions for %s",
          "add lines, or choose another topology");
    }

    @Override
    public boolean varyOverTime() {
      return links.values().stream()
          .anyMatch(each -> each.values().stream().anyMatch(Timeline::changes));
    }
  }
}
