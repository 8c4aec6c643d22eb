package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.lab.run.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BoardTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long nanos = 1_000_000_000L;

  private Board board(boolean terminal) {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    return new Board(new StatusLine(out, terminal), () -> nanos);
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private static void twoSteps(Progress progress) {
    progress.begin("ignored", 4, 0);
    progress.deployed();
    progress.deployed();
  }

  @Test
  void allThatRunShareOneLineAndEachLeavesOneWhenItEnds() {
    Board board = board(false);
    Progress first = board.cell(1, 3, "local");
    Progress second = board.cell(2, 3, "fedavg");
    twoSteps(first);
    second.begin("ignored", 10, 0);
    nanos += 11_000_000_000L;
    second.deployed();
    first.end("done");
    second.end("failed");

    assertThat(text().lines())
        .containsExactly(
            "[0/3]  local 50%  fedavg 10%  11.0 s", "[1/3] local  done", "[2/3] fedavg  failed");
  }

  @Test
  void runsThatWereFinishedBeforeCount() {
    Board board = board(false);
    board.begin(2);
    // Whichever of those that are left happens to come first.
    board.cell(4, 4, "dfca").end("done");

    assertThat(text()).isEqualTo("[3/4] dfca  done\n");
  }
}
