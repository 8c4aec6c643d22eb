package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void pausesDoubleUpToFiveSecondsAndAreHalfByChance() {
    for (int repeat = 0; repeat < 100; repeat++) {
      assertThat(Line.pauseMillis(0)).isBetween(100L, 200L);
      assertThat(Line.pauseMillis(3)).isBetween(800L, 1_600L);
      assertThat(Line.pauseMillis(10)).isBetween(2_500L, 5_000L);
      assertThat(Line.pauseMillis(1_000)).isBetween(2_500L, 5_000L);
    }
  }
}
