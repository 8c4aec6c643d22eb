package io.kindred.core.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TicksTest {
  @Test
  void aTickIsAMicrosecond() {
    assertThat(Ticks.ofSeconds(1)).isEqualTo(1_000_000);
    assertThat(Ticks.ofSeconds(0.02)).isEqualTo(20_000);
    assertThat(Ticks.toSeconds(1_500_000)).isEqualTo(1.5);
  }

  @Test
  void secondsRoundToTheNearestTick() {
    assertThat(Ticks.ofSeconds(1.4e-6)).isEqualTo(1);
    assertThat(Ticks.ofSeconds(1.6e-6)).isEqualTo(2);
    assertThat(Ticks.ofSeconds(0)).isZero();
  }

  @Test
  void ticksSurviveAWayThroughSeconds() {
    for (long ticks = 1; ticks < 1_000_000_000_000L; ticks = 3 * ticks + 1) {
      assertThat(Ticks.ofSeconds(Ticks.toSeconds(ticks))).isEqualTo(ticks);
    }
  }

  @Test
  void peersSortByTheirNumber() {
    assertThat(Stream.of(new PeerId(10), new PeerId(-1), new PeerId(9)).sorted())
        .isEqualTo(List.of(new PeerId(-1), new PeerId(9), new PeerId(10)));
  }
}
