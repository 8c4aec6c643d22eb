package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Ints;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private static Graph path(int peers) {
    Graph.Builder builder = new Graph.Builder(peers);
    for (int peer = 1; peer < peers; peer++) {
      builder.connect(peer, peer - 1);
    }
    return builder.build();
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
        .holds(GraphAssertions::check);
  }

  @Test
  void erdosRenyiOfOneTwoOrTinyDegreeIsConnected() {
    for (long seed = 0; seed < 500; seed++) {
      assertThat(new ErdosRenyi(5).connect(1, random(seed)).degree(0)).isZero();
      Graph two = new ErdosRenyi(0.5).connect(2, random(seed));
      assertThat(two).isEqualTo(path(2));
      Graph tiny = new ErdosRenyi(1e-9).connect(20, random(seed));
      GraphAssertions.check(tiny);
      // Twenty components need nineteen edges to be connected, and no more are added.
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
  void theDefaultDegreeFitsFewPeersToo() {
    assertThat(new ErdosRenyi(0).connect(4, random(1)))
        .isEqualTo(new Complete().connect(4, random(1)));
    assertThat(new ErdosRenyi(0).connect(1, random(1)).peers()).isEqualTo(1);
    assertThat(new ErdosRenyi(0).connect(200, random(1)))
        .isEqualTo(new ErdosRenyi(5).connect(200, random(1)));
  }

  @Test
  void erdosRenyiOfTheLargestDegreeIsComplete() {
    assertThat(new ErdosRenyi(6).connect(7, random(1)))
        .isEqualTo(new Complete().connect(7, random(1)));
  }

  @Test
  void aProbabilityTakesThePlaceOfTheDegree() {
    // DFCA's MNIST setting: 240 peers, 0.15.
    double sum = 0;
    for (long seed = 0; seed < 50; seed++) {
      sum += new ErdosRenyi(0, 0.15).connect(240, random(seed)).edges();
    }
    double pairs = 240 * 239 / 2.0;
    double error = Math.sqrt(pairs * 0.15 * 0.85 / 50);
    assertThat(sum / 50).isCloseTo(0.15 * pairs, within(5 * error));
    assertThat(new ErdosRenyi(0, 1).connect(9, random(1)))
        .isEqualTo(new Complete().connect(9, random(1)));
  }

  @Test
  void aDegreeExcludesAProbabilityAndARadius() {
    assertThatThrownBy(() -> new ErdosRenyi(6, 0.06))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("a degree of 6.0 and a probability of 0.06 exclude each other");
    assertThatThrownBy(() -> new RandomGeometric(6, 0.2))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("a degree of 6.0 and a radius of 0.2 exclude each other");
  }

  @Test
  void everyPairIsDrawnEquallyOften() {
    // 21 pairs, 20,000 graphs with probability 0.3 each: a count is binomial.
    int[][] counts = new int[7][7];
    for (long seed = 0; seed < 20_000; seed++) {
      Pairs.draw(7, 0.3, random(seed), (a, b) -> counts[a][b]++);
    }
    double error = Math.sqrt(20_000 * 0.3 * 0.7);
    for (int a = 0; a < 7; a++) {
      for (int b = 0; b < 7; b++) {
        double expected = a < b ? 6000 : 0;
        assertThat((double) counts[a][b]).isCloseTo(expected, within(5 * error * (a < b ? 1 : 0)));
      }
    }
  }

  @Test
  void aDegreeThatCannotBeIsComplainedAbout() {
    assertThatThrownBy(() -> new ErdosRenyi(5).connect(5, random(1)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("topology.degree");
              assertThat(invalid.problem()).contains("5.0").contains("5 peers");
              assertThat(invalid.remedy()).isEqualTo("choose at most 4");
            });
  }

  @Test
  void everyPeerOfARingHasTheOneBeforeAndTheOneAfter() {
    Graph ring = new Ring().connect(5, random(1));
    GraphAssertions.check(ring);
    assertThat(ring.neighbours())
        .containsExactly(Ints.of(1, 4), Ints.of(0, 2), Ints.of(1, 3), Ints.of(2, 4), Ints.of(0, 3));
    assertThat(new Ring().connect(2, random(1))).isEqualTo(path(2));
    assertThat(new Ring().connect(1, random(1)).neighbours()).containsExactly(Ints.of());
  }

  @Test
  void everyPairOfACompleteGraphIsConnected() {
    for (int peers = 1; peers < 20; peers++) {
      Graph complete = new Complete().connect(peers, random(1));
      GraphAssertions.check(complete);
      assertThat(complete.meanDegree()).isEqualTo(peers - 1);
    }
  }

  @Test
  void partsAreNumberedByTheirLowestPeer() {
    Graph graph = new Graph.Builder(6).connect(5, 0).connect(3, 2).connect(2, 2).build();
    assertThat(graph.connectedComponents()).isEqualTo(Ints.of(0, 1, 2, 2, 3, 0));
    assertThat(graph.isConnected()).isFalse();
    assertThat(path(6).isConnected()).isTrue();
    assertThat(graph.degree(2)).isEqualTo(1);
  }

  @Test
  void anEdgeGivenTwiceIsOneEdge() {
    assertThat(new Graph.Builder(2).connect(0, 1).connect(1, 0).build()).isEqualTo(path(2));
  }
}
