package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.data.DataFiles;
import io.kindred.studies.fuzz.DiscoveryFuzzCheck;
import io.kindred.studies.fuzz.FuzzFailure;
import io.kindred.studies.fuzz.Fuzzer;
import io.kindred.studies.fuzz.Scenarios;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class DiscoveryFuzzRunTest {
  private static DiscoveryFuzzCase scenario() throws IOException {
    return DiscoveryFuzzCheck.parseCase("discovery", Scenarios.text("discovery"));
  }

  private static SortedMap<Long, FuzzFailure> fuzz(DiscoveryFuzzCase scenario, long from, long to) {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      return new Fuzzer(pool, DataFiles.NONE).run(scenario, from, to, found -> {}, () -> false);
    }
  }

  @Test
  void viewsRecoverFromTheBuiltInScenario() throws IOException {
    assertThat(fuzz(scenario(), 1, 40)).isEmpty();
  }

  @Test
  void viewsThatHaveNoTimeToRecoverAreFoundAndReplayed() throws IOException {
    DiscoveryFuzzCase hasty = DiscoveryFuzzCaseBuilder.from(scenario()).quietRounds(1).build();
    SortedMap<Long, FuzzFailure> found = fuzz(hasty, 1, 10);
    assertThat(found).isNotEmpty();
    FuzzFailure first = Objects.requireNonNull(found.get(found.firstKey()));
    assertThat(first.what()).isEqualTo("NotRecovered");
    List<String> lines = new ArrayList<>();
    FuzzFailure again =
        new DiscoveryFuzzCheck(DiscoveryFuzzCheck.parseCase("f.json", first.configuration()))
            .run((round, line) -> lines.add(line))
            .orElseThrow();
    assertThat(again.line()).isEqualTo(first.line());
    assertThat(lines).hasSize(31).isEqualTo(first.transcript());
  }

  @Test
  void everySeedDrawsANetworkAndFaultsBelowTheScenarios() throws IOException {
    DiscoveryFuzzCase most = scenario();
    int withoutSplit = 0;
    for (long seed = 0; seed < 300; seed++) {
      DiscoveryFuzzCase drawn = most.withSeed(seed);
      assertThat(drawn.peers()).isBetween(8, 64);
      assertThat(drawn.churn()).isBetween(0.0, most.churn());
      assertThat(drawn.loss()).isBetween(0.0, most.loss());
      assertThat(drawn.split().from()).isLessThanOrEqualTo(drawn.split().to());
      assertThat(drawn.split().to()).isLessThanOrEqualTo(30);
      withoutSplit += drawn.split().from() == 0 ? 1 : 0;
    }
    assertThat(withoutSplit).isBetween(70, 130);
  }
}
