package io.kindred.environment.link;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Radio links between peers with known positions. Error probabilities are computed on demand. */
final class RadioPaths implements LinkModel {
  private final RadioLinks settings;
  private final RadioScene scene;
  private final RadioBlocks radioBlocks;
  private final double roundSeconds;

  RadioPaths(RadioLinks settings, RadioScene scene, double roundSeconds, RandomStreams streams) {
    this.settings = settings;
    this.scene = scene;
    this.roundSeconds = roundSeconds;
    radioBlocks = new RadioBlocks(settings, scene, streams);
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams ignored) {
    long latency = Ticks.ofSeconds(settings.latencySeconds());
    return radioBlocks.connects(from, to)
        ? new Link(latency, settings.channel().bytesPerSecond(), error(from, to, round))
        : new Link(latency, Double.POSITIVE_INFINITY, 0);
  }

  private double error(int from, int to, long round) {
    return scene.changes()
        ? scene.at(round * roundSeconds).errorProbability(from, to)
        : scene.firstError(from, to);
  }

  @Override
  public boolean varyOverTime() {
    return scene.changes();
  }

  @Override
  public Optional<RadioBlocks> radioBlocks() {
    return Optional.of(radioBlocks);
  }

  @Override
  public Graph restrictToReachable(Graph graph) {
    if (settings.epsilon() >= 1 && settings.target() < 0) {
      return graph;
    }
    Graph.Builder reachable = new Graph.Builder(graph.peers());
    if (settings.target() >= 0) {
      connectTargetGroup(graph, reachable);
    } else {
      for (int peer = 0; peer < graph.peers(); peer++) {
        for (int neighbour : selectedNeighbours(graph, peer)) {
          reachable.connect(peer, neighbour);
        }
      }
    }
    return reachable.build();
  }

  @Override
  public Optional<List<Ints>> chosenNeighbours(Graph reachable) {
    if (settings.epsilon() >= 1 || settings.target() >= 0) {
      return Optional.empty();
    }
    List<Ints> chosen = new ArrayList<>();
    for (int peer = 0; peer < reachable.peers(); peer++) {
      chosen.add(
          Ints.wrap(
              selectedNeighbours(reachable, peer).stream().mapToInt(Integer::intValue).toArray()));
    }
    return Optional.of(chosen);
  }

  @Override
  public List<String> warnings(Graph reachable) {
    if (settings.epsilon() >= 1) {
      return List.of();
    }
    List<Integer> alone = new ArrayList<>();
    for (int peer = 0; peer < reachable.peers(); peer++) {
      if ((settings.target() < 0 || peer == settings.target())
          && selectedNeighbours(reachable, peer).isEmpty()) {
        alone.add(peer);
      }
    }
    return LonePeers.warning(
        alone,
        "'network.links.epsilon': no transmission to %s fails rarely enough",
        "choose a larger epsilon");
  }

  /** The target and its selected neighbours learn together, as in all methods of the paper. */
  private void connectTargetGroup(Graph graph, Graph.Builder reachable) {
    List<Integer> members = new ArrayList<>(selectedNeighbours(graph, settings.target()));
    members.add(settings.target());
    for (int a : members) {
      for (int b : members) {
        reachable.connect(a, b);
      }
    }
  }

  private List<Integer> selectedNeighbours(Graph graph, int target) {
    List<Integer> chosen = new ArrayList<>();
    Ints neighbours = graph.neighbours().get(target);
    for (int i = 0; i < neighbours.size(); i++) {
      if (scene.selects(target, neighbours.get(i))) {
        chosen.add(neighbours.get(i));
      }
    }
    return chosen;
  }
}
