package io.kindred.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParallelProgressTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long nanos = 1_000_000_000L;

  private ParallelProgress newProgress(int columns) {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    return new ParallelProgress(new StatusLine(out, columns), () -> nanos);
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
    ParallelProgress parallelProgress = newProgress(TerminalColumns.NO_TERMINAL);
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
    ParallelProgress parallelProgress = newProgress(TerminalColumns.NO_TERMINAL);
    parallelProgress.finishedBefore(2);
    parallelProgress.cell(3, 4, "dfca").end("done");

    assertThat(text()).isEqualTo("[3/4] dfca  done\n");
  }

  /** Threads start in any order, and a cell that lacked memory runs again. */
  @Test
  void everyCellCountsOnceWhicheverComesFirst() {
    ParallelProgress parallelProgress = newProgress(TerminalColumns.NO_TERMINAL);
    Progress second = parallelProgress.cell(2, 2, "fedavg");
    Progress first = parallelProgress.cell(1, 2, "local");
    first.end("failed");
    second.end("done");
    parallelProgress.cell(1, 2, "local").end("done");

    assertThat(text().lines())
        .containsExactly("[1/2] local  failed", "[2/2] fedavg  done", "[2/2] local  done");
  }

  @Test
  void cellsThatDoNotFitOnTheTerminalAreCounted() {
    ParallelProgress parallelProgress = newProgress(80);
    List<Progress> cells = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      cells.add(parallelProgress.cell(i, 24, "semantic-dfl, seed=" + i));
    }
    nanos += 11_000_000_000L;
    twoSteps(cells.getFirst());
    cells.getLast().end("done");

    assertThat(text().lines().flatMap(line -> Stream.of(line.split("\r", -1))))
        .allMatch(line -> line.length() < 80)
        .anyMatch(
            line ->
                line.startsWith("[0/24]  semantic-dfl, seed=1 ")
                    && line.contains("  semantic-dfl, seed=2 0%  and 6 more  11.0 s"));
  }

  @Test
  void aCellWithALongNameIsShortenedOnTheTerminal() {
    ParallelProgress parallelProgress = newProgress(60);
    Progress cell = parallelProgress.cell(1, 2, "fedavg, " + "partition.alpha=0.1, ".repeat(9));
    parallelProgress.cell(2, 2, "local");
    nanos += 11_000_000_000L;
    cell.begin("ignored", 4, 1);
    cell.end("done");

    assertThat(text().lines().flatMap(line -> Stream.of(line.split("\r", -1))))
        .allMatch(line -> line.length() < 60)
        .anyMatch(line -> line.contains("…") && line.endsWith(" 25%  local 0%  11.0 s"))
        .anyMatch(line -> line.startsWith("[1/2] fedavg, ") && line.endsWith("  done"));
  }
}
