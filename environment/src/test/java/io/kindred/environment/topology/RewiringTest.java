package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewiringTest {
  private static int common(Graph first, Graph second) {
    int count = 0;
    for (int a = 0; a < first.peers(); a++) {
      for (int b : first.neighbours().get(a).copy()) {
        count += second.hasEdge(a, b) ? 1 : 0;
      }
    }
    return count / 2;
  }

  @ParameterizedTest
  @CsvSource({"0.1", "0.2", "0.3", "1"})
  void edgesGoWithTheProbabilityAndTheMeanDegreeStays(double rewire) {
    Rewiring rewiring = new Rewiring(rewire);
    Graph first = new ErdosRenyi(10).connect(100, random(1));
    Graph graph = first;
    double degree = 0;
    double kept = 0;
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      Graph next = rewiring.next(graph, first.meanDegree(), random(round));
      GraphAssertions.check(next);
      degree += next.meanDegree() / rounds;
      kept += common(graph, next) / (double) graph.edges() / rounds;
      graph = next;
    }
    assertThat(kept).isCloseTo(1 - rewire, within(0.01));
    assertThat(degree).isCloseTo(first.meanDegree(), within(0.1));
    assertThat(common(first, graph) / (double) first.edges()).isLessThan(0.2);
  }

  @Test
  void edgesThatJoinPartsDoNotAddUp() {
    // A ring has no redundant edge: joining adds some each time, and the next round removes them.
    Graph first = new Ring().connect(50, random(1));
    Graph graph = first;
    for (int round = 0; round < 300; round++) {
      graph = new Rewiring(0.3).next(graph, first.meanDegree(), random(round));
      GraphAssertions.check(graph);
      assertThat(graph.meanDegree()).isBetween(1.96, 3.2);
    }
  }

  @Test
  void withoutRewiringNothingChanges() {
    Graph graph = new ErdosRenyi(4).connect(30, random(1));
    assertThat(new Rewiring(0).next(graph, 4, random(2))).isSameAs(graph);
  }

  @Test
  void theSameStreamMakesTheSameChange() {
    Graph graph = new ErdosRenyi(4).connect(30, random(1));
    Rewiring rewiring = new Rewiring(0.3);
    assertThat(rewiring.next(graph, 4, random(2))).isEqualTo(rewiring.next(graph, 4, random(2)));
    assertThat(rewiring.next(graph, 4, random(2))).isNotEqualTo(rewiring.next(graph, 4, random(3)));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void fewPeersStayConnected(int peers) {
    Graph graph = new Complete().connect(peers, random(1));
    for (int round = 0; round < 100; round++) {
      graph = new Rewiring(0.9).next(graph, peers - 1, random(round));
      GraphAssertions.check(graph);
    }
  }
}
