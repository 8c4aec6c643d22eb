package io.kindred.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverallMeasuresTest {
  private final OverallMeasures overall = new OverallMeasures();

  private static MetricLine line(
      int round,
      long peer,
      String stage,
      int samples,
      Map<String, Double> extra,
      @Nullable List<List<Integer>> confusion) {
    return new MetricLine(
        round,
        peer,
        stage,
        0.5,
        0.9,
        samples,
        null,
        0,
        0,
        0,
        0,
        new TreeMap<>(extra),
        null,
        confusion);
  }

  /** Expected values are those of scikit-learn 1.2.1 for all samples of both peers together. */
  @Test
  void samplesOfAllPeersCountAlike() {
    overall.add(line(3, 0, "mixed", 4, Map.of(), List.of(List.of(0, 0, 3), List.of(1, 0, 1))));
    overall.add(line(4, 0, "mixed", 4, Map.of(), List.of(List.of(0, 0, 2), List.of(0, 1, 1))));
    overall.add(
        line(
            4,
            1,
            "mixed",
            8,
            Map.of(),
            List.of(List.of(1, 1, 5), List.of(1, 0, 2), List.of(0, 0, 1))));
    // A model before mixing is not what a peer deploys.
    overall.add(line(5, 1, "trained", 8, Map.of(), List.of(List.of(1, 1, 8))));
    assertThat(overall.values().get("accuracy")).isCloseTo(8 / 11.0, within(1e-12));
    assertThat(overall.values().get("balancedAccuracy"))
        .isCloseTo(0.7321428571428571, within(1e-12));
    assertThat(overall.values().get("macroF1")).isCloseTo(0.7179487179487180, within(1e-12));
    assertThat(overall.values()).doesNotContainKeys("auc", "mae");
    assertThat(overall.confusionCsv(label -> label == 0 ? "a, b" : "c"))
        .contains(
            """
            peer,class,predicted,samples
            0,"a, b","a, b",2
            0,"a, b",c,1
            1,"a, b","a, b",1
            1,c,"a, b",2
            1,c,c,5
            """);
  }

  /** A pair needs a sample of each class of one peer: 3 * 1 pairs, then 2 * 2. */
  @Test
  void theAucIsThatOfPairsWithinAPeer() {
    overall.add(
        line(1, 0, "mixed", 4, Map.of("auc", 1.0), List.of(List.of(0, 0, 3), List.of(1, 0, 1))));
    overall.add(
        line(1, 1, "mixed", 4, Map.of("auc", 0.5), List.of(List.of(0, 0, 2), List.of(1, 1, 2))));
    assertThat(overall.values().get("auc")).isCloseTo((3 + 2) / 7.0, within(1e-12));
  }

  @Test
  void errorsAreWeighedBySamplesAndSquaresAreAdded() {
    overall.add(line(1, 0, "mixed", 1, Map.of("mae", 4.0, "rmse", 4.0), null));
    overall.add(line(1, 1, "mixed", 3, Map.of("mae", 1.0, "rmse", 2.0), null));
    assertThat(overall.values())
        .containsEntry("mae", 1.75)
        .containsEntry("rmse", Math.sqrt((16 + 3 * 4) / 4.0));
    assertThat(overall.confusionCsv(Integer::toString)).isEmpty();
  }
}
