package io.kindred.methods.kin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static int[] scoredRounds(Schedule schedule) {
    return IntStream.rangeClosed(1, 100).filter(schedule::scoresIn).toArray();
  }

  @Test
  void sixtyRounds() {
    Schedule schedule = Schedule.of(KinFixture.settings(), 60);
    assertThat(schedule.mixedVelocity()).isEqualTo(13);
    assertThat(schedule.personal()).isEqualTo(16);
    assertThat(schedule.choice()).isEqualTo(31);
    assertThat(scoredRounds(schedule)).containsExactly(26, 29);
    assertThat(schedule.holdsOut(30)).isTrue();
    assertThat(schedule.holdsOut(31)).isFalse();
    assertThat(schedule.combinesScores(29)).isFalse();
    assertThat(schedule.combinesScores(30)).isTrue();
  }

  @Test
  void theHorizonReplacesTheNumberOfRounds() {
    assertThat(Schedule.of(KinFixture.withHorizon(60), 1_000_000))
        .isEqualTo(Schedule.of(KinFixture.settings(), 60));
  }

  /** Scores take two rounds to the peers of the pulled peers, and the personal model is in them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 10, 12, 20, 33, 60, 100})
  void scoresOfAllModelsAreInTimeForTheChoice(int rounds) {
    Schedule schedule = Schedule.of(KinFixture.settings(), rounds);
    int[] scored = scoredRounds(schedule);
    assertThat(scored).isNotEmpty();
    assertThat(scored[scored.length - 1]).isEqualTo(Math.max(1, schedule.choice() - 2));
    assertThat(schedule.personal()).isLessThanOrEqualTo(scored[scored.length - 1]);
  }
}
