package io.kindred.environment.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EdgeSetTest {
  private record Outcome(EdgeSet edges, Set<String> expected, int peers) {}

  private static String name(int a, int b) {
    return Math.min(a, b) + "-" + Math.max(a, b);
  }

  /** Fills an edge set, replaces edges at random and does the same to an ordinary set of names. */
  private static Outcome exchanged(RandomStream random, int size) {
    int peers = size + 3;
    EdgeSet edges = new EdgeSet(peers, peers);
    Set<String> expected = new TreeSet<>();
    for (int peer = 0; peer < peers; peer++) {
      edges.add(peer, (peer + 1) % peers);
      expected.add(name(peer, (peer + 1) % peers));
    }
    for (int i = 0; i < 20 * peers; i++) {
      int index = random.nextInt(peers);
      int a = random.nextInt(peers);
      int b = random.nextInt(peers);
      if (a != b && !expected.contains(name(a, b))) {
        expected.remove(name(edges.low(index), edges.high(index)));
        expected.add(name(a, b));
        edges.replace(index, a, b);
      }
    }
    return new Outcome(edges, expected, peers);
  }

  @Test
  void exchangedEdgesAreFoundAndNoOthers() {
    Property.forAll(EdgeSetTest::exchanged)
        .holds(
            outcome -> {
              for (int a = 0; a < outcome.peers; a++) {
                for (int b = a + 1; b < outcome.peers; b++) {
                  boolean there = outcome.expected.contains(name(a, b));
                  assertThat(outcome.edges.contains(b, a)).isEqualTo(there);
                }
              }
              assertThat(outcome.edges.builder().build().edges())
                  .isEqualTo(outcome.expected.size());
            });
  }

  @Test
  void anEdgeThatIsThereIsNotTakenAgain() {
    EdgeSet edges = new EdgeSet(3, 3);
    edges.add(0, 1);
    assertThatThrownBy(() -> edges.add(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> edges.add(2, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
