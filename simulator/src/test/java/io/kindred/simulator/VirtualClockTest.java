package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.fault.Faults;
import io.kindred.methods.baseline.Local;
import org.junit.jupiter.api.Test;

class VirtualClockTest {
  private static final int PEERS = 20;

  private static VirtualClock at(long tick, double drift) {
    SimulatedEnvironment environment =
        SmallSimulation.of(PEERS, 1)
            .with(Faults.builder().drift(drift).build())
            .builder(new Local())
            .environment();
    return new VirtualClock(environment, PEERS, tick);
  }

  @Test
  void withoutDriftEveryClockShowsTheSameTick() {
    VirtualClock clock = at(1_000_000, 0);
    for (int peer = 0; peer < PEERS; peer++) {
      assertThat(clock.localTick(peer)).isEqualTo(1_000_000);
      assertThat(clock.tickAfter(peer, 70)).isEqualTo(1_000_070);
    }
  }

  @Test
  void aTimerEndsWhenItsTicksHavePassedOnTheClockThatDrifts() {
    for (int peer = 0; peer < PEERS; peer++) {
      VirtualClock clock = at(0, 0.2);
      long end = clock.tickAfter(peer, 1_000_000);
      clock.advanceTo(end);
      assertThat(end).isNotEqualTo(1_000_000).isBetween(800_000L, 1_250_000L);
      assertThat(clock.localTick(peer)).isBetween(1_000_000L, 1_000_002L);
    }
  }

  @Test
  void aTimerTakesAtLeastATick() {
    assertThat(at(5, 0).tickAfter(0, 0)).isEqualTo(6);
  }
}
