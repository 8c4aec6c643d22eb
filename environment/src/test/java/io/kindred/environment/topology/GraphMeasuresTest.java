package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Ints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphMeasuresTest {
  /** An irregular graph that is easy to reproduce in any language. */
  private static Graph squares() {
    Graph.Builder builder = new Graph.Builder(60);
    for (int i = 0; i < 60; i++) {
      builder.connect(i, (i + 1) % 60).connect(i, (i * i + 3) % 60);
      if (i % 3 == 0) {
        builder.connect(i, (i + 2) % 60);
      }
    }
    return builder.build();
  }

  @Test
  void anIrregularGraphMeasuresAsNetworkxAndNumpySay() {
    // networkx 3.6.1: average_clustering, diameter, average_shortest_path_length,
    // degree_histogram; numpy's eigvalsh of the dense mixing matrix.
    Graph graph = squares();
    assertThat(graph.edges()).isEqualTo(134);
    assertThat(GraphStatistics.clustering(graph)).isCloseTo(0.2124603174603175, within(1e-12));
    assertThat(GraphStatistics.degreeHistogram(graph))
        .isEqualTo(Ints.of(0, 0, 0, 16, 32, 0, 2, 6, 0, 2, 2));
    GraphStatistics.Distances distances = GraphStatistics.distances(graph, random(1));
    assertThat(distances.diameter()).isEqualTo(5);
    assertThat(distances.mean()).isCloseTo(2.8242937853107346, within(1e-12));
    assertThat(distances.exact()).isTrue();
    assertThat(GraphStatistics.mixingFactor(graph, random(1)))
        .isCloseTo(0.9208520659672674, within(1e-8));
  }

  @ParameterizedTest
  @CsvSource({"3", "4", "9", "10", "64", "501"})
  void aRingMeasuresAsInClosedForm(int peers) {
    Graph ring = new Ring().connect(peers, random(1));
    GraphStatistics.Distances distances = GraphStatistics.distances(ring, random(1));
    assertThat(distances.diameter()).isEqualTo(peers / 2);
    assertThat(distances.mean())
        .isCloseTo(
            peers % 2 == 0 ? peers * peers / 4.0 / (peers - 1) : (peers + 1) / 4.0, within(1e-9));
    assertThat(GraphStatistics.clustering(ring)).isEqualTo(peers == 3 ? 1 : 0);
    // Eigenvalues (1 + 2 cos(2 pi j / n)) / 3; of four peers the lowest is -1/3, the others 1/3.
    double second = (1 + 2 * StrictMath.cos(2 * Math.PI / peers)) / 3;
    assertThat(GraphStatistics.mixingFactor(ring, random(1)))
        .isCloseTo(Math.abs(second), within(1e-7));
  }

  @Test
  void aCompleteGraphMixesAtOnce() {
    Graph complete = new Complete().connect(12, random(1));
    assertThat(GraphStatistics.mixingFactor(complete, random(1))).isCloseTo(0, within(1e-12));
    assertThat(GraphStatistics.clustering(complete)).isEqualTo(1);
    assertThat(GraphStatistics.distances(complete, random(1)))
        .isEqualTo(new GraphStatistics.Distances(1, 1, true));
  }

  @Test
  void aStarMixesAsInClosedForm() {
    // Leaves that disagree among themselves keep 1 - 1/n of their disagreement.
    Graph star = new Star().connect(20, random(1));
    assertThat(GraphStatistics.mixingFactor(star, random(1))).isCloseTo(0.95, within(1e-9));
    assertThat(GraphStatistics.clustering(star)).isZero();
  }

  @Test
  void aLonePeerMeasuresNothing() {
    Graph lone = new Ring().connect(1, random(1));
    assertThat(GraphStatistics.distances(lone, random(1)))
        .isEqualTo(new GraphStatistics.Distances(0, 0, true));
    assertThat(GraphStatistics.clustering(lone)).isZero();
    assertThat(GraphStatistics.mixingFactor(lone, random(1))).isZero();
    assertThat(GraphStatistics.degreeHistogram(lone)).isEqualTo(Ints.of(1));
  }

  @Test
  void distancesOfManyAreSampled() {
    Graph ring = new Ring().connect(3000, random(1));
    GraphStatistics.Distances distances = GraphStatistics.distances(ring, random(1));
    assertThat(distances.exact()).isFalse();
    assertThat(distances.diameter()).isEqualTo(1500);
    assertThat(distances.mean()).isCloseTo(3000 * 3000 / 4.0 / 2999, within(1e-9));
  }

  @Test
  void distancesOfAGraphInPartsAreRefused() {
    Graph parts = new Graph.Builder(3).connect(0, 1).build();
    assertThatThrownBy(() -> GraphStatistics.distances(parts, random(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reaches only 2 of 3");
  }

  @Test
  void algebraicConnectivityIsWhatIsKnownOfRingAndCompleteGraph() {
    assertThat(GraphMeasures.algebraicConnectivity(new Ring().connect(12, random(1)), random(1)))
        .isCloseTo(2 - 2 * Math.cos(2 * Math.PI / 12), within(1e-6));
    assertThat(GraphMeasures.algebraicConnectivity(new Complete().connect(7, random(1)), random(1)))
        .isCloseTo(7, within(1e-6));
    Graph apart = new Graph.Builder(4).connect(0, 1).connect(2, 3).build();
    assertThat(GraphMeasures.algebraicConnectivity(apart, random(1))).isCloseTo(0, within(1e-6));
  }
}
