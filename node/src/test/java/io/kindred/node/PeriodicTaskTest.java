package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.node.log.NodeLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
  @Test
  void workThatFailsIsDoneAgainAndToldOnce() throws InterruptedException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger times = new AtomicInteger();
    try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor()) {
      PeriodicTask.schedule(
          timers,
          1,
          "asking",
          () -> {
            if (times.incrementAndGet() <= 2) {
              throw new IllegalArgumentException("no host");
            }
          },
          NodeLog.ofTexts(lines::add));
      assertThat(Until.comesTrue(() -> times.get() > 3)).isTrue();
      timers.shutdownNow();
    }
    assertThat(lines)
        .containsExactly(
            "asking failed and will be retried: java.lang.IllegalArgumentException: no host");
  }
}
