package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.world.radio.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Radio links among peers that have a place. Error probabilities are worked out when asked for. */
final class RadioWays implements Links {
  private final RadioLinks settings;
  private final Field field;
  private final RandomStreams streams;
  private final long blockTicks;
  private final double[][] errors;

  RadioWays(RadioLinks settings, Field field, RandomStreams streams) {
    this.settings = settings;
    this.field = field;
    this.streams = streams;
    blockTicks = Math.max(1, Ticks.ofSeconds(settings.blockSeconds()));
    errors = new double[field.placement().size()][0];
  }

  private double error(int from, int to) {
    if (errors[to].length == 0) {
      errors[to] = new double[errors.length];
      Arrays.fill(errors[to], Double.NaN);
    }
    if (Double.isNaN(errors[to][from])) {
      errors[to][from] = field.error(from, to);
    }
    return errors[to][from];
  }

  /** A server is none of the peers in the square and is reached by wire. */
  private boolean byWire(int from, int to) {
    return from >= errors.length || to >= errors.length || from == to;
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams ignored) {
    long latency = Ticks.ofSeconds(settings.latencySeconds());
    return byWire(from, to)
        ? new Link(latency, Double.POSITIVE_INFINITY, 0)
        : new Link(latency, settings.channel().bytesPerSecond(), error(from, to));
  }

  @Override
  public boolean change() {
    return false;
  }

  /**
   * Every attempt is in a block of its own, the first in the one that it is now. Whatever a pair
   * sends in one block meets the same fading; who else is on the sub-channel changes.
   */
  @Override
  public Attempts attempt(int from, int to, Link link, long tick, RandomStream random) {
    long first = tick / blockTicks;
    for (int repeated = 0; repeated <= settings.retries() && !byWire(from, to); repeated++) {
      double quantile =
          streams.stream(Purpose.FADING, (long) from << 32 | to, first + repeated).nextDouble();
      if (random.nextDouble() >= field.failure(from, to, quantile)) {
        return new Attempts(repeated + 1, true, repeated * blockTicks);
      }
    }
    return byWire(from, to)
        ? new Attempts(1, true, 0)
        : new Attempts(settings.retries() + 1, false, settings.retries() * blockTicks);
  }

  @Override
  public Graph audible(Graph graph) {
    if (settings.epsilon() >= 1 && settings.target() < 0) {
      return graph;
    }
    Graph.Builder heard = new Graph.Builder(graph.peers());
    if (settings.target() >= 0) {
      group(graph, heard);
    } else {
      for (int peer = 0; peer < graph.peers(); peer++) {
        for (int neighbour : chosen(graph, peer)) {
          heard.connect(peer, neighbour);
        }
      }
    }
    return heard.build();
  }

  /** The target and those it listens to learn together, as all methods of the paper do. */
  private void group(Graph graph, Graph.Builder heard) {
    List<Integer> members = new ArrayList<>(chosen(graph, settings.target()));
    members.add(settings.target());
    for (int a : members) {
      for (int b : members) {
        heard.connect(a, b);
      }
    }
  }

  private List<Integer> chosen(Graph graph, int target) {
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
