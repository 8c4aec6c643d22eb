package io.kindred.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Ints;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.TOPOLOGY, 0, 0);
  }

  private static Graph path(int peers) {
    Graph.Builder builder = new Graph.Builder(peers);
    for (int peer = 1; peer < peers; peer++) {
      builder.connect(peer, peer - 1);
    }
    return builder.build();
  }

  /** Undirected, without loops, ascending and in one piece, found out without asking the graph. */
  private static void checkSound(Graph graph) {
    for (int a = 0; a < graph.peers(); a++) {
      Ints list = graph.neighbours().get(a);
      for (int i = 0; i < list.size(); i++) {
        int b = list.get(i);
        assertThat(b).isBetween(0, graph.peers() - 1).isNotEqualTo(a);
        assertThat(graph.neighbours().get(b).copy()).contains(a);
        assertThat(i == 0 || list.get(i - 1) < b).isTrue();
      }
    }
    assertThat(reached(graph)).isEqualTo(graph.peers());
  }

  /** Peers within reach of the first: everybody's mark is spread until nothing changes. */
  private static int reached(Graph graph) {
    boolean[] reached = new boolean[graph.peers()];
    reached[0] = true;
    int count = 0;
    for (int before = -1; count != before; ) {
      before = count;
      for (int a = 0; a < reached.length; a++) {
        for (int b : graph.neighbours().get(a).copy()) {
          reached[b] |= reached[a];
        }
      }
      count = 0;
      for (boolean each : reached) {
        count += each ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void erdosRenyiIsConnectedAndSymmetricForEverySeed() {
    Property.forAll(
            (random, size) -> {
              double most = size > 1 ? size - 1 : 3;
              double degree = Math.max(0.001, random.nextDouble() * random.nextDouble() * most);
              return new ErdosRenyi(degree).connect(size, random);
            })
        .runs(500)
        .holds(TopologyTest::checkSound);
  }

  @Test
  void erdosRenyiOfOneTwoOrTinyDegreeIsConnected() {
    for (long seed = 0; seed < 500; seed++) {
      assertThat(new ErdosRenyi(5).connect(1, random(seed)).degree(0)).isZero();
      Graph two = new ErdosRenyi(0.5).connect(2, random(seed));
      assertThat(two).isEqualTo(path(2));
      Graph tiny = new ErdosRenyi(1e-9).connect(20, random(seed));
      checkSound(tiny);
      // Twenty parts need nineteen edges to hold together, and no more are added.
      assertThat(tiny.meanDegree()).isEqualTo(38 / 20.0);
    }
  }

  @Test
  void erdosRenyiHasItsMeanDegree() {
    // Each of 200 x 199 / 2 pairs with probability 10 / 199; isolated parts are too rare to matter.
    int peers = 200;
    int graphs = 100;
    double probability = 10.0 / 199;
    double sum = 0;
    for (long seed = 0; seed < graphs; seed++) {
      sum += new ErdosRenyi(10).connect(peers, random(seed)).meanDegree();
    }
    double pairs = peers * (peers - 1) / 2.0;
    double error = 2 / 200.0 * Math.sqrt(pairs * probability * (1 - probability) / graphs);
    assertThat(sum / graphs).isCloseTo(10, within(5 * error));
  }

  @Test
  void erdosRenyiOfTheLargestDegreeIsComplete() {
    assertThat(new ErdosRenyi(6).connect(7, random(1)))
        .isEqualTo(new Complete().connect(7, random(1)));
  }

  @Test
  void theSameStreamDrawsTheSameGraph() {
    ErdosRenyi topology = new ErdosRenyi(4);
    assertThat(topology.connect(30, random(5))).isEqualTo(topology.connect(30, random(5)));
    assertThat(topology.connect(30, random(5))).isNotEqualTo(topology.connect(30, random(6)));
  }

  @Test
  void aDegreeThatCannotBeIsComplainedAbout() {
    assertThatThrownBy(() -> new ErdosRenyi(5).connect(5, random(1)))
        .isInstanceOfSatisfying(
            Complaint.class,
            complaint -> {
              assertThat(complaint.path()).isEqualTo("topology.degree");
              assertThat(complaint.problem()).contains("5.0").contains("5 peers");
              assertThat(complaint.remedy()).isEqualTo("choose at most 4");
            });
  }

  @Test
  void everyPeerOfARingHasTheOneBeforeAndTheOneAfter() {
    Graph ring = new Ring().connect(5, random(1));
    checkSound(ring);
    assertThat(ring.neighbours())
        .containsExactly(Ints.of(1, 4), Ints.of(0, 2), Ints.of(1, 3), Ints.of(2, 4), Ints.of(0, 3));
    assertThat(new Ring().connect(2, random(1))).isEqualTo(path(2));
    assertThat(new Ring().connect(1, random(1)).neighbours()).containsExactly(Ints.of());
  }

  @Test
  void everyPairOfACompleteGraphIsConnected() {
    for (int peers = 1; peers < 20; peers++) {
      Graph complete = new Complete().connect(peers, random(1));
      checkSound(complete);
      assertThat(complete.meanDegree()).isEqualTo(peers - 1);
    }
  }

  @Test
  void partsAreNumberedByTheirLowestPeer() {
    Graph graph = new Graph.Builder(6).connect(5, 0).connect(3, 2).connect(2, 2).build();
    assertThat(graph.parts()).isEqualTo(Ints.of(0, 1, 2, 2, 3, 0));
    assertThat(graph.connected()).isFalse();
    assertThat(path(6).connected()).isTrue();
    assertThat(graph.degree(2)).isEqualTo(1);
  }

  @Test
  void anEdgeGivenTwiceIsOneEdge() {
    assertThat(new Graph.Builder(2).connect(0, 1).connect(1, 0).build()).isEqualTo(path(2));
  }
}
