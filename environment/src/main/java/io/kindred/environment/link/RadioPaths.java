package io.kindred.environment.link;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.topology.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Radio links between peers with known positions. Error probabilities are computed on demand. */
final class RadioPaths implements LinkModel {
  private final RadioLinks settings;
  private final RadioField radioField;
  private final RandomStreams streams;
  private final long blockTicks;
  private final double[][] errors;

  RadioPaths(RadioLinks settings, RadioField radioField, RandomStreams streams) {
    this.settings = settings;
    this.radioField = radioField;
    this.streams = streams;
    blockTicks = Math.max(1, Ticks.ofSeconds(settings.blockSeconds()));
    errors = new double[radioField.positions().size()][0];
  }

  private double error(int from, int to) {
    if (errors[to].length == 0) {
      errors[to] = new double[errors.length];
      Arrays.fill(errors[to], Double.NaN);
    }
    if (Double.isNaN(errors[to][from])) {
      errors[to][from] = radioField.errorProbability(from, to);
    }
    return errors[to][from];
  }

  /** A server has no position in the square and is reached by wire. */
  private boolean isWired(int from, int to) {
    return from >= errors.length || to >= errors.length || from == to;
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams ignored) {
    long latency = Ticks.ofSeconds(settings.latencySeconds());
    return isWired(from, to)
        ? new Link(latency, Double.POSITIVE_INFINITY, 0)
        : new Link(latency, settings.channel().bytesPerSecond(), error(from, to));
  }

  @Override
  public boolean varyOverTime() {
    return false;
  }

  /**
   * Every attempt has a block of its own; the first has the current block. All messages of a pair
   * in one block meet the same fading; the interferers on the sub-channel change.
   */
  @Override
  public Attempts attempt(int from, int to, Link link, long tick, RandomStream random) {
    long first = tick / blockTicks;
    for (int repeated = 0; repeated <= settings.retries() && !isWired(from, to); repeated++) {
      double quantile =
          streams.stream(Purpose.FADING, (long) from << 32 | to, first + repeated).nextDouble();
      if (random.nextDouble() >= radioField.failureProbability(from, to, quantile)) {
        return new Attempts(repeated + 1, true, repeated * blockTicks);
      }
    }
    return isWired(from, to)
        ? new Attempts(1, true, 0)
        : new Attempts(settings.retries() + 1, false, settings.retries() * blockTicks);
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
      if (error(neighbours.get(i), target) < settings.epsilon() || settings.epsilon() >= 1) {
        chosen.add(neighbours.get(i));
      }
    }
    return chosen;
  }
}
