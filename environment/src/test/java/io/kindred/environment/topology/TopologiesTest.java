package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every topology against its known closed forms. */
class TopologiesTest {
  private static final Path DOCS = Path.of("..", "docs", "reference", "topologies.md");

  static List<Topology> drawn() {
    return List.of(
        new ErdosRenyi(3),
        new ErdosRenyi(0, 0.2),
        new BarabasiAlbert(1),
        new BarabasiAlbert(3),
        new RandomGeometric(3, 0),
        new RandomGeometric(0, 0.05),
        new WattsStrogatz(2, 0.5),
        new WattsStrogatz(4, 0.3),
        new KRegular(2),
        new KRegular(3),
        new KRegular(4),
        new Expander(4),
        new Expander(6));
  }

  static List<Topology> all() {
    List<Topology> all = new ArrayList<>(drawn());
    all.addAll(List.of(new Ring(), new Torus(0), new Torus(2), new Star(), new Complete()));
    return all;
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyGraphIsSoundOrRefusedForEverySizeAndSeed(Topology topology) {
    int made = 0;
    for (int peers = 1; peers <= 40; peers++) {
      for (long seed = 0; seed < 10; seed++) {
        try {
          Graph graph = topology.connect(peers, random(seed));
          assertThat(graph.peers()).isEqualTo(peers);
          GraphAssertions.check(graph);
          made++;
        } catch (SettingException refused) {
          assertThat(refused.path())
              .isIn("topology.degree", "topology.edges", "topology.rows", "peers");
          assertThat(refused.remedy()).isNotEmpty();
        }
      }
    }
    assertThat(made).isGreaterThan(150);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aLonePeerHasNoNeighbours(Topology topology) {
    assertThat(topology.connect(1, random(1)).neighbours()).containsExactly(Ints.of());
  }

  @ParameterizedTest
  @MethodSource("drawn")
  void theSameStreamDrawsTheSameGraph(Topology topology) {
    Graph graph = topology.connect(40, random(5));
    assertThat(topology.connect(40, random(5))).isEqualTo(graph);
    assertThat(topology.connect(40, random(6))).isNotEqualTo(graph);
  }

  @ParameterizedTest
  @MethodSource("all")
  void ofTwoOrThreePeersThereIsAGraphOrAReason(Topology topology) {
    for (int peers = 2; peers <= 3; peers++) {
      int size = peers;
      boolean impossible =
          switch (topology) {
            case BarabasiAlbert(int edges) -> edges >= size;
            case ErdosRenyi(double degree, double probability) ->
                probability == 0 && degree > size - 1;
            case RandomGeometric(double degree, double radius) -> radius == 0 && degree > size - 1;
            case WattsStrogatz(int degree, double rewire) -> degree > size - 1;
            case KRegular(int degree) -> degree > size - 1;
            case Expander expander -> true;
            case Torus torus -> true;
            default -> false;
          };
      if (impossible) {
        assertThatThrownBy(() -> topology.connect(size, random(1)))
            .isInstanceOf(SettingException.class);
      } else {
        GraphAssertions.check(topology.connect(size, random(1)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "barabasi | 3 | 'topology.edges': a new peer cannot make 3 edges among 3 peers; choose at most 2",
        "regular3 | 5 | 'topology.degree': 5 peers cannot have 3 neighbours each: an"
            + " edge has two ends; make one of the two numbers even",
        "regular3 | 3 | 'topology.degree': a degree of 3 is impossible with 3 peers; choose at most 2",
        "regular1 | 4 | 'topology.degree': with one neighbour each, peers form isolated"
            + " pairs; choose at least 2",
        "expander | 6 | 'topology.degree': a degree of 6 is impossible with 6 peers;"
            + " choose an even number of at most 4",
        "expander | 3 | 'topology.degree': a degree of 6 is impossible with 3 peers; use"
            + " topology complete for this few peers",
        "small | 9 | 'topology.degree': the degree must be even, but is 3; choose 2",
        "torus | 7 | 'peers': 7 peers form no grid: the number is prime, and a single"
            + " row would be a ring; choose 8 peers, or topology ring",
        "rows | 8 | 'topology.rows': 8 peers cannot be laid out in 3 rows of two or more; choose 2",
        "complete | 100000 | 'topology': the graph would have more than 100000000 edges;"
            + " choose fewer peers or a sparser topology",
        "dense | 100000 | 'topology': the graph would have more than 100000000 edges;"
            + " choose fewer peers or a sparser topology"
      })
  void whatIsNotPossibleIsRefusedWithARemedy(String name, int peers, String line) {
    Topology topology =
        switch (name) {
          case "barabasi" -> new BarabasiAlbert(3);
          case "regular1" -> new KRegular(1);
          case "regular3" -> new KRegular(3);
          case "expander" -> new Expander(6);
          case "small" -> new WattsStrogatz(3, 0);
          case "torus" -> new Torus(0);
          case "rows" -> new Torus(3);
          case "dense" -> new KRegular(9000);
          default -> new Complete();
        };
    assertThatThrownBy(() -> topology.connect(peers, random(1)))
        .isInstanceOfSatisfying(
            SettingException.class, invalid -> assertThat(invalid.line()).isEqualTo(line));
  }

  @Test
  void barabasiAlbertHasItsEdgesAndThePowerLaw() {
    Graph graph = new BarabasiAlbert(3).connect(20_000, random(1));
    assertThat(graph.edges()).isEqualTo(3 * (20_000 - 3));
    // In the limit a share 2m(m+1) / (k(k+1)(k+2)) has degree k (Bollobas et al., 2001): 0.4 of 3,
    // 0.2 of 4; and m(m+1) / (k(k+1)) have at least k.
    int[] histogram = GraphStatistics.degreeHistogram(graph).copy();
    assertThat(histogram[0] + histogram[1] + histogram[2]).isLessThanOrEqualTo(3);
    assertThat(histogram[3] / 20_000.0).isCloseTo(0.4, within(0.012));
    assertThat(histogram[4] / 20_000.0).isCloseTo(0.2, within(0.012));
    double atLeast30 = 0;
    for (int degree = 30; degree < histogram.length; degree++) {
      atLeast30 += histogram[degree] / 20_000.0;
    }
    assertThat(atLeast30).isCloseTo(12.0 / (30 * 31), within(0.003));
    assertThat(histogram.length).isGreaterThan(200);
  }

  @Test
  void erdosRenyiIsClusteredAsMuchAsItIsConnected() {
    double sum = 0;
    for (long seed = 0; seed < 20; seed++) {
      sum += GraphStatistics.clustering(new ErdosRenyi(0, 0.1).connect(200, random(seed)));
    }
    assertThat(sum / 20).isCloseTo(0.1, within(0.003));
  }

  @ParameterizedTest
  @CsvSource({"2", "4", "6", "10"})
  void aSmallWorldWithoutRewiringIsALattice(int degree) {
    Graph graph = new WattsStrogatz(degree, 0).connect(100, random(1));
    assertThat(GraphStatistics.degreeHistogram(graph).get(degree)).isEqualTo(100);
    assertThat(GraphStatistics.clustering(graph))
        .isCloseTo(3 * (degree - 2) / (4.0 * (degree - 1)), within(1e-12));
    assertThat(GraphStatistics.distances(graph, random(1)).diameter())
        .isEqualTo((50 + degree / 2 - 1) / (degree / 2));
  }

  @Test
  void aLittleRewiringShortensPathsAndKeepsClusters() {
    Graph lattice = new WattsStrogatz(10, 0).connect(1000, random(1));
    Graph small = new WattsStrogatz(10, 0.05).connect(1000, random(1));
    assertThat(small.edges()).isEqualTo(lattice.edges());
    // Each edge of a triangle stays with probability 0.95 (Barrat and Weigt, 2000).
    assertThat(GraphStatistics.clustering(small))
        .isCloseTo(2.0 / 3 * StrictMath.pow(0.95, 3), within(0.02));
    assertThat(GraphStatistics.distances(small, random(1)).mean())
        .isLessThan(GraphStatistics.distances(lattice, random(1)).mean() / 5);
  }

  @Test
  void everyPeerOfARegularGraphHasTheSameDegree() {
    for (int peers = 5; peers <= 30; peers++) {
      for (int degree = 2; degree < peers; degree++) {
        if (peers * degree % 2 == 0) {
          Graph graph = new KRegular(degree).connect(peers, random(peers));
          GraphAssertions.check(graph);
          assertThat(GraphStatistics.degreeHistogram(graph).get(degree)).isEqualTo(peers);
        }
      }
    }
  }

  @Test
  void aRegularGraphHasForgottenTheRingItStartedAs() {
    // Triangles of a random regular graph are Poisson with mean (k-1)^3 / 6 (Bollobas, 1980), 4.5
    // here; the ring with chords has one for each peer. And a given pair is an edge with 4 / 99.
    double triangles = 0;
    int oldEdges = 0;
    int graphs = 300;
    for (long seed = 0; seed < graphs; seed++) {
      Graph graph = new KRegular(4).connect(100, random(seed));
      triangles += GraphStatistics.clustering(graph) * 100 * 6 / 3;
      for (int peer = 0; peer < 100; peer++) {
        oldEdges += graph.hasEdge(peer, (peer + 1) % 100) ? 1 : 0;
      }
    }
    assertThat(triangles / graphs).isCloseTo(4.5, within(5 * Math.sqrt(4.5 / graphs)));
    assertThat(oldEdges / (100.0 * graphs)).isCloseTo(4 / 99.0, within(0.006));
  }

  @Test
  void twoNeighboursEachMakeOneCycle() {
    // Exchanges nearly always leave several cycles, so this test covers joining them.
    for (long seed = 0; seed < 50; seed++) {
      Graph graph = new KRegular(2).connect(31, random(seed));
      GraphAssertions.check(graph);
      assertThat(GraphStatistics.distances(graph, random(1)).diameter()).isEqualTo(15);
    }
  }

  @ParameterizedTest
  @CsvSource({"4", "8"})
  void anExpanderMixesNearlyAsFastAsItsDegreeAllows(int degree) {
    // (A + I) / (d + 1) is the mixing matrix; Alon and Boppana: no graph gets its second eigenvalue
    // much below 2 sqrt(d - 1), and a random one comes close.
    double best = (1 + 2 * Math.sqrt(degree - 1)) / (degree + 1);
    for (long seed = 0; seed < 3; seed++) {
      Graph graph = new Expander(degree).connect(1500, random(seed));
      assertThat(graph.meanDegree()).isBetween(degree - 0.1, (double) degree);
      assertThat(GraphStatistics.mixingFactor(graph, random(seed)))
          .isBetween(best - 0.02, best + 0.02);
    }
    Graph lattice = new WattsStrogatz(degree, 0).connect(1500, random(1));
    assertThat(GraphStatistics.mixingFactor(lattice, random(1))).isGreaterThan(0.999);
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 2", "6, 2, 3", "12, 3, 4", "36, 6, 6", "50, 5, 10", "49, 7, 7"})
  void aTorusIsTheGridNearestASquare(int peers, int rows, int columns) {
    Graph graph = new Torus(0).connect(peers, random(1));
    GraphAssertions.check(graph);
    int degree = (rows == 2 ? 1 : 2) + (columns == 2 ? 1 : 2);
    assertThat(GraphStatistics.degreeHistogram(graph).get(degree)).isEqualTo(peers);
    assertThat(GraphStatistics.distances(graph, random(1)).diameter())
        .isEqualTo(rows / 2 + columns / 2);
    if (rows > 3) {
      assertThat(GraphStatistics.clustering(graph)).isZero();
    }
    assertThat(new Torus(rows).connect(peers, random(1))).isEqualTo(graph);
  }

  @Test
  void aStarHasOneHub() {
    Graph star = new Star().connect(10, random(1));
    assertThat(star.degree(0)).isEqualTo(9);
    assertThat(GraphStatistics.degreeHistogram(star))
        .isEqualTo(Ints.of(0, 9, 0, 0, 0, 0, 0, 0, 0, 1));
  }

  @Test
  void aHundredThousandPeersAreDrawnInModestMemory() {
    // Quadratic time would take minutes here; the bound is generous for busy machines.
    for (Topology topology :
        List.of(
            new ErdosRenyi(10),
            new BarabasiAlbert(5),
            new RandomGeometric(10, 0),
            new WattsStrogatz(10, 0.1),
            new Expander(10))) {
      Graph graph =
          Assertions.assertTimeout(
              Duration.ofSeconds(30), () -> topology.connect(100_000, random(1)));
      assertThat(graph.meanDegree()).isCloseTo(10, within(0.1));
      assertThat(graph.isConnected()).isTrue();
    }
  }

  @Test
  void everyTopologyHasARowInTheDocs() throws IOException {
    List<String> lines = Files.readAllLines(DOCS);
    for (String name : Topologies.ALL.names()) {
      assertThat(lines)
          .as("%s needs a row for %s", DOCS, name)
          .anyMatch(line -> line.startsWith("| `" + name + "` |"));
    }
  }
}
