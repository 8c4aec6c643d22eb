package io.kindred.methods.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeoutPolicyTest {
  private static final TimeoutPolicy ADAPTIVE = new TimeoutPolicy(10, 3, 0.5);

  @Test
  void withoutAFactorTheLongestWaitIsTaken() {
    assertThat(TimeoutPolicy.of(2).ticks(List.of(1L, 2L, 3L))).isEqualTo(2_000_000);
  }

  @Test
  void withoutAnswersTheLongestWaitIsTaken() {
    assertThat(ADAPTIVE.ticks(List.of())).isEqualTo(10_000_000);
  }

  @Test
  void theWaitIsAMultipleOfTheMedianWithinItsBounds() {
    assertThat(ADAPTIVE.ticks(List.of(9_000_000L, 1_000_000L, 400_000L))).isEqualTo(3_000_000);
    assertThat(ADAPTIVE.ticks(List.of(1_000_000L, 2_000_000L))).isEqualTo(3_000_000);
    assertThat(ADAPTIVE.ticks(List.of(0L))).isEqualTo(500_000);
    assertThat(ADAPTIVE.ticks(List.of(60_000_000L))).isEqualTo(10_000_000);
  }

  @Test
  void onlyTheLastFifteenAnswersCount() {
    List<Long> latencies = new ArrayList<>();
    for (long i = 1; i <= 40; i++) {
      latencies = TimeoutPolicy.appendLatency(latencies, i);
    }
    assertThat(latencies).hasSize(15).startsWith(26L).endsWith(40L);
  }

  @Test
  void theShortestWaitCannotBeLongerThanTheLongest() {
    assertThatThrownBy(() -> new TimeoutPolicy(1, 3, 2)).isInstanceOf(SettingException.class);
  }
}
