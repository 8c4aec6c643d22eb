package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The peers that a search without an overlay reaches with the same number of messages. */
public final class UnguidedSearchBaselines {
  private static final Purpose PROBES = new Purpose("random-probes");

  private UnguidedSearchBaselines() {}

  /**
   * Flooding: a peer that receives the query for the first time forwards it to all neighbours
   * except the sender, and answers the asker. Every copy and every answer is a message.
   */
  public static List<PeerId> reachedByFlooding(Graph graph, int asker, long messages) {
    record Copy(int from, int to) {}
    boolean[] received = new boolean[graph.peers()];
    received[asker] = true;
    List<PeerId> reached = new ArrayList<>();
    Deque<Copy> copies = new ArrayDeque<>();
    Ints first = graph.neighbours().get(asker);
    for (int i = 0; i < first.size(); i++) {
      copies.add(new Copy(asker, first.get(i)));
    }
    long left = messages;
    while (!copies.isEmpty() && left >= 2) {
      Copy copy = copies.remove();
      left--;
      if (received[copy.to()]) {
        continue;
      }
      left--;
      received[copy.to()] = true;
      reached.add(new PeerId(copy.to()));
      Ints next = graph.neighbours().get(copy.to());
      for (int i = 0; i < next.size(); i++) {
        if (next.get(i) != copy.from()) {
          copies.add(new Copy(copy.to(), next.get(i)));
        }
      }
    }
    return reached;
  }

  /**
   * Random probing: one request and one answer per probed peer; the list of all peers is known in
   * advance.
   */
  public static List<PeerId> reachedByProbing(Graph graph, int asker, long messages, long seed) {
    RandomStream random = new RandomStreams(seed).stream(PROBES, asker, 0);
    int[] order = random.permutation(graph.peers());
    List<PeerId> reached = new ArrayList<>();
    for (int peer : order) {
      if (peer != asker && reached.size() < messages / 2) {
        reached.add(new PeerId(peer));
      }
    }
    return reached;
  }
}
