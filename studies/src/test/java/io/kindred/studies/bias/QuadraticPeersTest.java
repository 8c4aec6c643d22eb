package io.kindred.studies.bias;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.Ring;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class QuadraticPeersTest {
  private static final QuadraticPeers FIVE =
      new QuadraticPeers(List.of(0.0, 0.0, 0.0, 0.0, 1.0), List.of(0, 0, 0, 0, 1));

  private static RandomStream random() {
    return new RandomStreams(3).stream(new Purpose("test"), 0, 0);
  }

  private static Graph ring(int peers) {
    return new Ring().connect(peers, random());
  }

  private static Graph complete(int peers) {
    return new Complete().connect(peers, random());
  }

  /**
   * On a complete graph of n peers, every peer moves 2 gamma n / (1 + 2 gamma n) of the distance to
   * the mean.
   */
  @Test
  void biasOnACompleteGraphIsAKnownPartOfTheVariance() {
    double part = 2 * 0.1 * 5 / (1 + 2 * 0.1 * 5);
    double variance = 0.2 * 0.8;
    assertThat(FIVE.bias(complete(5), 0.1)).isCloseTo(part * part * variance, within(1e-12));
    assertThat(FIVE.bias(complete(5), 0)).isZero();
  }

  /**
   * On a ring of five, one step leaves a third of the mass with the peer; in the limit a fifth
   * stays.
   */
  @Test
  void theMassOfALoneMinorityFallsToItsShareOfThePeers() {
    List<Double> staying = FIVE.retainedMass(ring(5), 1, 200);
    assertThat(staying.get(0)).isEqualTo(1);
    assertThat(staying.get(1)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(staying.get(200)).isCloseTo(0.2, within(1e-9));
    assertThat(FIVE.retainedMass(complete(5), 1, 1).get(1)).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void amongAlikePeersMixingLosesNoMassAndAddsNoBias() {
    QuadraticPeers peers = QuadraticPeers.draw(40, 0.25, 1, 0, random());
    Graph kin = peers.nearestNeighbourGraph(4);
    assertThat(peers.retainedMass(kin, 1, 30).getLast()).isCloseTo(1, within(1e-12));
    assertThat(peers.bias(kin, 0.5)).isCloseTo(0, within(1e-20));
    assertThat(peers.bias(ring(40), 0.5)).isGreaterThan(0.01);
  }

  /**
   * On a ring the odd peer sees two zeros, and its two neighbours see 0 and 1: mismatches 1, 1/4
   * and 1/4. The two most similar peers have zeros for everybody. All others of a complete graph
   * are 0 for the odd peer, and have the mean 1/4 for each other peer.
   */
  @Test
  void theTermsOfTheoremOneAreTheOnesComputedByHand() {
    StationarityTerms ring = StationarityTerms.of(FIVE, ring(5));
    assertThat(ring.alignment()).isCloseTo(1.0 / 5, within(1e-12));
    assertThat(ring.selection()).isCloseTo(0.5 / 5, within(1e-12));
    assertThat(ring.mismatch()).isCloseTo(1.5 / 5, within(1e-12));
    StationarityTerms complete = StationarityTerms.of(FIVE, complete(5));
    assertThat(complete.recall()).isEqualTo(1);
    assertThat(complete.selection()).isZero();
    assertThat(complete.alignment()).isCloseTo((4 * 0.0625 + 1) / 5, within(1e-12));
    assertThat(complete.mismatch()).isEqualTo(complete.alignment());
    assertThat(complete.floor()).isCloseTo(24 * complete.alignment(), within(1e-12));
  }

  /** Gradient descent along the neighbours' mean gradient, simulated, ends at the mismatch. */
  @Test
  void averagedDescentEndsAtTheMismatchAndBelowTheFloor() {
    BiasStudy study = BiasStudy.of(40, 0.25, 1, 0.1, 6, 1);
    study
        .graphs()
        .forEach(
            (name, graph) -> {
              double sum = 0;
              for (int peer = 0; peer < 40; peer++) {
                double model = 0;
                Ints neighbours = graph.neighbours().get(peer);
                for (int step = 0; step < 200; step++) {
                  double gradient = 0;
                  for (int i = 0; i < neighbours.size(); i++) {
                    gradient += model - study.peers().minima().get(neighbours.get(i));
                  }
                  model -= 0.3 * gradient / neighbours.size();
                }
                sum += Math.pow(model - study.peers().minima().get(peer), 2) / 40;
              }
              StationarityTerms terms = StationarityTerms.of(study.peers(), graph);
              assertThat(terms.mismatch()).as(name).isCloseTo(sum, within(1e-9));
              assertThat(terms.floor()).as(name).isGreaterThan(terms.mismatch());
            });
    assertThat(study.table().text()).contains("recall").contains("theorem 1's floor");
  }

  private static double bias(BiasStudy study, String graph) {
    return study.peers().bias(Objects.requireNonNull(study.graphs().get(graph)), 0.1);
  }

  @Test
  void theStudyRanksGraphsByTheirConnectivity() {
    BiasStudy study = BiasStudy.of(40, 0.25, 1, 0.1, 6, 1);
    double ring = bias(study, "ring");
    double expander = bias(study, "expander");
    double complete = bias(study, "complete");
    assertThat(ring).isLessThan(expander);
    assertThat(expander).isLessThan(complete);
    assertThat(study.biasChart()).contains("most alike");
    assertThat(study.retainedMassChart()).contains("most alike");
  }
}
