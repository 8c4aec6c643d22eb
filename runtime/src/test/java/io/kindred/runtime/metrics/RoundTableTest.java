package io.kindred.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundTableTest {
  private static final double EXACTLY = 1e-12;

  private final RoundTable table = new RoundTable(4);

  private void add(int round, String stage, @Nullable Double... accuracies) {
    for (int peer = 0; peer < accuracies.length; peer++) {
      table.add(line(round, stage, peer, accuracies[peer], null));
    }
  }

  private static MetricLine line(
      int round,
      String stage,
      int peer,
      @Nullable Double accuracy,
      @Nullable Double globalAccuracy) {
    return new MetricLine(
        round,
        peer,
        stage,
        null,
        accuracy,
        accuracy == null ? 0 : 10,
        globalAccuracy,
        0,
        0,
        0,
        0,
        new TreeMap<>());
  }

  /** A peer that lost its state starts again in round 1. */
  @Test
  void aRoundThatAPeerGoesAgainChangesNothing() {
    table.add(line(1, "mixed", 0, 0.9, null));
    table.add(line(1, "mixed", 0, 0.1, null));
    assertThat(table.last("mixed").orElseThrow().peers()).isEqualTo(1);
    add(1, "mixed", 0.2, 0.3, 0.5, 0.7);
    table.add(line(1, "mixed", 2, 0.0, null));
    RoundTable.Row row = table.last("mixed").orElseThrow();
    assertThat(row.peers()).isEqualTo(4);
    assertThat(row.mean()).isCloseTo(0.6, within(EXACTLY));
  }

  @Test
  void statisticsAreOverPeers() {
    add(1, "mixed", 0.9, 0.3, 0.5, 0.7);
    RoundTable.Row row = table.last("mixed").orElseThrow();
    assertThat(row.peers()).isEqualTo(4);
    assertThat(row.mean()).isCloseTo(0.6, within(EXACTLY));
    // Squares of 0.3, 0.3, 0.1, 0.1 sum to 0.2; the peers are the whole population.
    assertThat(row.std()).isCloseTo(Math.sqrt(0.05), within(EXACTLY));
    // A tenth of the way over three gaps: 0.3 and 0.3 of the first gap.
    assertThat(row.p10()).isCloseTo(0.36, within(EXACTLY));
    assertThat(row.best()).isEqualTo(0.9);
    assertThat(row.worst()).isEqualTo(0.3);
    assertThat(row.global()).isNaN();
  }

  @Test
  void extraFiguresAreMeansOverThePeersThatHaveThem() {
    for (int peer = 0; peer < 4; peer++) {
      SortedMap<String, Double> extra = new TreeMap<>();
      extra.put("degrees", 10.0 * peer);
      if (peer > 1) {
        extra.put("rare", 1.0 + peer);
      }
      table.add(new MetricLine(1, peer, "mixed", null, null, 0, null, 0, 0, 0, 0, extra));
    }
    assertThat(table.last("mixed").orElseThrow().extra())
        .containsExactly(Map.entry("degrees", 15.0), Map.entry("rare", 3.5));
  }

  @Test
  void quantilesLieBetweenTheNearestRanks() {
    double[] sorted = {1, 2, 4, 8};
    assertThat(RoundTable.quantile(sorted, 0)).isEqualTo(1);
    assertThat(RoundTable.quantile(sorted, 1)).isEqualTo(8);
    assertThat(RoundTable.quantile(sorted, 0.5)).isEqualTo(3);
    assertThat(RoundTable.quantile(sorted, 0.9)).isCloseTo(6.8, within(EXACTLY));
    assertThat(RoundTable.quantile(new double[] {5}, 0.1)).isEqualTo(5);
  }

  @Test
  void peersWithoutTestSamplesDoNotCount() {
    add(1, "mixed", 0.5, null, 1.0, null);
    RoundTable.Row row = table.last("mixed").orElseThrow();
    assertThat(row.peers()).isEqualTo(2);
    assertThat(row.mean()).isEqualTo(0.75);
    assertThat(row.worst()).isEqualTo(0.5);
  }

  @Test
  void anIncompleteRoundCountsWithThoseThatReported() {
    add(1, "mixed", 0.5, 0.5, 0.5, 0.5);
    assertThat(table.newestMean()).hasValue(0.5);
    add(2, "mixed", 0.9, 0.7);
    assertThat(table.last("mixed").orElseThrow().mean()).isCloseTo(0.8, within(EXACTLY));
    assertThat(table.bestMean()).hasValue(0.8);
    assertThat(table.newestMean()).as("only complete rounds are news").hasValue(0.5);
  }

  @Test
  void nothingIsKnownOfAnEmptyTable() {
    assertThat(table.last("mixed")).isEmpty();
    assertThat(table.bestMean()).isEmpty();
    assertThat(table.newestMean()).isEmpty();
    assertThat(table.roundsToTargets(List.of(0.0))).isEmpty();
    assertThat(table.csv(new TreeMap<>()).lines()).hasSize(1);
  }

  @Test
  void targetsAreReachedByTheMeanAfterMixing() {
    add(1, "trained", 1.0, 1.0, 1.0, 1.0);
    add(1, "mixed", 0.4, 0.4, 0.4, 0.4);
    add(2, "mixed", 0.8, 0.8, 0.8, 0.8);
    add(3, "mixed", 0.6, 0.6, 0.6, 0.6);
    assertThat(table.roundsToTargets(List.of(0.9, 0.8, 0.5, 0.1)))
        .isEqualTo(new TreeMap<>(Map.of("0.80", 2, "0.50", 2, "0.10", 1)));
    assertThat(table.bestMean()).hasValue(0.8);
  }

  @Test
  void theFileHasRoundsInOrderAndTrainingBeforeMixing() {
    add(10, "mixed", 0.5, 0.5, 0.5, 0.5);
    add(2, "final", 1.0);
    add(2, "mixed", 0.25, 0.75);
    add(2, "trained", null, null, null, null);
    table.add(line(2, "mixed", 2, 0.5, 0.4));
    table.add(line(2, "mixed", 3, 0.5, 0.2));
    assertThat(table.csv(new TreeMap<>()))
        .isEqualTo(
            """
            round,stage,mean,std,p10,best,worst,globalMean,modelBytes,controlBytes,recallAtK,virtualSeconds
            2,trained,,,,,,,,,,
            2,mixed,0.5,0.1767766952966369,0.325,0.75,0.25,0.30000000000000004,,,,
            2,final,1.0,0.0,1.0,1.0,1.0,,,,,
            10,mixed,0.5,0.0,0.5,0.5,0.5,,,,,
            """);
  }

  @Test
  void closeTargetsKeepTheirNames() {
    add(1, "mixed", 0.999, 0.999, 0.999, 0.999);
    assertThat(table.roundsToTargets(List.of(0.9, 0.995, 0.999, 1.0)).keySet())
        .containsExactly("0.90", "0.995", "0.999");
  }

  @Test
  void aRoundWithoutFiguresDoesNotHideTheBest() {
    add(1, "mixed", 0.5, 0.5, 0.5, 0.5);
    table.add(line(2, "mixed", 0, null, null));
    assertThat(table.bestMean()).hasValue(0.5);
  }
}
