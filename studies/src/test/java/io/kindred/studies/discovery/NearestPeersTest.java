package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestPeersTest {
  private static final DiscoveryStudy STUDY = SmallStudies.study("peers=300");
  private static final PeerVectors VECTORS = SmallStudies.vectors(STUDY);
  private static final int[] TARGETS = {0, 17, 299, 300, 301};

  /** All pairs with plain sums in double precision. */
  private static int[] exhaustive(int target, int[] draws, IntPredicate counts, int wanted) {
    return IntStream.range(0, VECTORS.size())
        .filter(peer -> peer != target && counts.test(peer))
        .boxed()
        .sorted(
            Comparator.comparingDouble(peer -> -cosine(vector(target, draws), vector(peer, draws))))
        .limit(wanted)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static float[] vector(int peer, int[] draws) {
    return VECTORS.vector(peer, peer < draws.length ? draws[peer] : 0);
  }

  private static double cosine(float[] x, float[] y) {
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int i = 0; i < x.length; i++) {
      xx += (double) x[i] * x[i];
      yy += (double) y[i] * y[i];
      xy += (double) x[i] * y[i];
    }
    return xy / Math.sqrt(xx * yy);
  }

  private static void assertExact(
      NearestPeers nearest, int[] draws, IntPredicate counts, int wanted) {
    List<int[]> found = nearest.nearest(target -> true, counts, wanted);
    for (int i = 0; i < TARGETS.length; i++) {
      assertThat(found.get(i))
          .as("target %d", TARGETS[i])
          .containsExactlyInAnyOrder(exhaustive(TARGETS[i], draws, counts, wanted));
    }
  }

  @Test
  void partsGiveTheSameAnswerAsAllPairs() {
    assertThat(VECTORS.levels()).isEqualTo(3);
    NearestPeers nearest = new NearestPeers(VECTORS, TARGETS);
    assertExact(nearest, new int[300], peer -> true, 20);
    assertExact(nearest, new int[300], peer -> peer % 3 == 0, 20);
  }

  @Test
  void anAnswerThatIsLargerThanAClusterContinuesInItsGroupAndThenElsewhere() {
    NearestPeers nearest = new NearestPeers(VECTORS, TARGETS);
    assertExact(nearest, new int[300], peer -> true, 70);
    assertExact(nearest, new int[300], peer -> true, 250);
  }

  @Test
  void driftedPeersCountWithTheirNewVectors() {
    int[] draws = IntStream.range(0, 300).map(peer -> peer % 4 == 0 ? 1 : 0).toArray();
    NearestPeers nearest = new NearestPeers(VECTORS, TARGETS);
    nearest.nearest(target -> true, peer -> true, 20);
    nearest.changed(draws);
    assertExact(nearest, draws, peer -> true, 20);
  }

  @Test
  void clustersThatAreHardlyApartAreNotTrusted() {
    DiscoveryStudy close = SmallStudies.study("peers=300", "drawn.cluster=0.1");
    assertThat(SmallStudies.vectors(close).levels()).isEqualTo(1);
    DiscoveryStudy withoutGroups = SmallStudies.study("peers=300", "drawn.group=0");
    assertThat(SmallStudies.vectors(withoutGroups).levels()).isEqualTo(2);
  }

  @Test
  void sketchesOfOneClusterAreSimilar() {
    SketchRule rule = STUDY.views().sketch();
    Sketch own = VECTORS.sketch(0, 0, rule);
    for (int peer = 1; peer < 300; peer++) {
      boolean same = VECTORS.part(0, 0, 0) == VECTORS.part(peer, 0, 0);
      assertThat(own.cosine(VECTORS.sketch(peer, 0, rule)) > 0.55).isEqualTo(same);
    }
  }
}
