package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionTest {
  @Test
  void pausesDoubleUpToFiveSecondsAndAreHalfByChance() {
    for (int repeat = 0; repeat < 100; repeat++) {
      assertThat(Connection.backoffMillis(0)).isBetween(100L, 200L);
      assertThat(Connection.backoffMillis(3)).isBetween(800L, 1_600L);
      assertThat(Connection.backoffMillis(10)).isBetween(2_500L, 5_000L);
      assertThat(Connection.backoffMillis(1_000)).isBetween(2_500L, 5_000L);
    }
  }
}
