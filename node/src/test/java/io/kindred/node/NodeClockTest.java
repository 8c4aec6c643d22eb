package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Ticks;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NodeClockTest {
  private static final long MILLIS_OF_2026 = 1_767_225_600_000L;

  /** The wall clock is read once, so its later changes have no effect. */
  @Test
  void ticksFollowAClockThatNeverJumps() {
    AtomicLong nanos = new AtomicLong(-5);
    NodeClock clock = new NodeClock(0, MILLIS_OF_2026, nanos::get);
    long first = clock.tick();
    assertThat(first).isEqualTo(MILLIS_OF_2026 * Ticks.PER_SECOND / 1_000);
    nanos.addAndGet(2_000_000_000L);
    assertThat(clock.tick() - first).isEqualTo(2 * Ticks.PER_SECOND);
    assertThat(clock.secondsUp()).isEqualTo(2.0);
  }

  @Test
  void aWallClockThatWentBackBetweenTwoLivesTakesNoTickTwice() {
    NodeClock before = new NodeClock(0, MILLIS_OF_2026, () -> 0);
    long saved = before.tick();
    NodeClock after = new NodeClock(saved, MILLIS_OF_2026 - 86_400_000, () -> 0);
    assertThat(after.tick()).isEqualTo(saved + 1);
  }

  @Test
  void aWallClockThatWentAheadBetweenTwoLivesIsFollowed() {
    NodeClock after =
        new NodeClock(
            MILLIS_OF_2026 * (Ticks.PER_SECOND / 1_000), MILLIS_OF_2026 + 86_400_000, () -> 0);
    assertThat(after.tick()).isEqualTo((MILLIS_OF_2026 + 86_400_000) * (Ticks.PER_SECOND / 1_000));
  }
}
