package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A graph from a text file: one edge a line, the numbers of two peers from 0 on, with a comma,
 * semicolon or blanks between them. What follows a # is a comment. An edge may be given both ways.
 * A disconnected graph is refused, not repaired: it would no longer be the one in the file.
 */
@Named(value = "file", summary = "edges from a text file, two peer numbers a line")
public record GraphFile(
    @Setting(doc = "path of the file, relative to the working directory", fallback = "graph.csv")
        String path)
    implements Topology {
  private static final String KEY = "topology.path";
  private static final Pattern SEPARATOR = Pattern.compile("\\s*[,;]\\s*|\\s+");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    String text =
        files
            .read(path)
            .orElseThrow(
                () ->
                    new SettingException(
                        KEY,
                        "there is no file " + path,
                        "name a text file with one edge on each line"));
    Graph.Builder edges = new Graph.Builder(peers);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String edge = lines.get(i).replaceFirst("#.*", "").strip();
      if (!edge.isEmpty()) {
        connect(edge, i + 1, edges, peers);
      }
    }
    Graph graph = edges.build();
    requireConnected(graph);
    return graph;
  }

  private void connect(String edge, int line, Graph.Builder edges, int peers) {
    String[] ends = SEPARATOR.split(edge, -1);
    if (ends.length != 2) {
      throw invalidLine(
          line, "'" + edge + "' is not an edge", "write two peer numbers, such as 0,1");
    }
    int a = peer(ends[0], line, peers);
    int b = peer(ends[1], line, peers);
    if (a == b) {
      throw invalidLine(line, "peer " + a + " cannot be its own neighbour", "remove the line");
    }
    edges.connect(a, b);
  }

  private int peer(String text, int line, int peers) {
    if (!NUMBER.matcher(text).matches()) {
      throw invalidLine(
          line, "'" + text + "' is not a peer number", "write two numbers, such as 0,1");
    }
    // More than nine digits are more than the peers there can be.
    int number = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
    if (number >= peers) {
      throw invalidLine(
          line,
          "there is no peer " + text + " among " + peers,
          "number the peers from 0 to " + (peers - 1) + ", or set 'peers' higher");
    }
    return number;
  }

  private void requireConnected(Graph graph) {
    Ints parts = graph.connectedComponents();
    for (int peer = 0; peer < parts.size(); peer++) {
      if (parts.get(peer) != 0) {
        throw new SettingException(
            KEY,
            path + " leaves peer " + peer + " unreachable from peer 0",
            "add edges until all " + graph.peers() + " peers are connected, or set 'peers' lower");
      }
    }
  }

  private SettingException invalidLine(int line, String problem, String remedy) {
    return new SettingException(KEY, path + ":" + line + ": " + problem, remedy);
  }
}
