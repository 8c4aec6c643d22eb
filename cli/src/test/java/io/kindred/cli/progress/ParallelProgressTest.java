package io.kindred.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ParallelProgressTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long nanos = 1_000_000_000L;

  private ParallelProgress newProgress(boolean terminal) {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    return new ParallelProgress(new StatusLine(out, terminal), () -> nanos);
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private static void twoSteps(Progress progress) {
    progress.begin("ignored", 4, 0);
    progress.stepCompleted();
    progress.stepCompleted();
  }

  @Test
  void allThatRunShareOneLineAndEachLeavesOneWhenItEnds() {
    ParallelProgress parallelProgress = newProgress(false);
    Progress first = parallelProgress.cell(1, 3, "local");
    Progress second = parallelProgress.cell(2, 3, "fedavg");
    twoSteps(first);
    second.begin("ignored", 10, 0);
    nanos += 11_000_000_000L;
    second.stepCompleted();
    first.end("done");
    second.end("failed");

    assertThat(text().lines())
        .containsExactly(
            "[0/3]  local 50%  fedavg 10%  11.0 s", "[1/3] local  done", "[2/3] fedavg  failed");
  }

  @Test
  void runsThatWereFinishedBeforeCount() {
    ParallelProgress parallelProgress = newProgress(false);
    parallelProgress.finishedBefore(2);
    parallelProgress.cell(3, 4, "dfca").end("done");

    assertThat(text()).isEqualTo("[3/4] dfca  done\n");
  }

  /** Threads start in any order, and a cell that lacked memory runs again. */
  @Test
  void everyCellCountsOnceWhicheverComesFirst() {
    ParallelProgress parallelProgress = newProgress(false);
    Progress second = parallelProgress.cell(2, 2, "fedavg");
    Progress first = parallelProgress.cell(1, 2, "local");
    first.end("failed");
    second.end("done");
    parallelProgress.cell(1, 2, "local").end("done");

    assertThat(text().lines())
        .containsExactly("[1/2] local  failed", "[2/2] fedavg  done", "[2/2] local  done");
  }
}
