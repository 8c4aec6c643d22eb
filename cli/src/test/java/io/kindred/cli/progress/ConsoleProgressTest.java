package io.kindred.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleProgressTest {
  private static final String FULL = "━";
  private static final String EMPTY = "─";
  private static final int WIDE = 132;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long nanos = 5_000_000_000_000L;

  private ConsoleProgress console(boolean terminal) {
    return console(terminal ? WIDE : TerminalColumns.NO_TERMINAL);
  }

  private ConsoleProgress console(int columns) {
    return new ConsoleProgress(
        new PrintStream(written, true, StandardCharsets.UTF_8), columns, () -> nanos);
  }

  private void advanceClock(double seconds) {
    nanos += (long) (seconds * 1e9);
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void elsewhereThanOnATerminalALineComesEveryTenSeconds() {
    ConsoleProgress progress = console(false);
    progress.begin("FedAvg", 100, 0);
    for (int second = 1; second <= 25; second++) {
      advanceClock(1);
      progress.stepCompleted();
    }
    progress.accuracy(0.8125);
    advanceClock(1);
    progress.end("done");
    assertThat(lines())
        .containsExactly(
            "fedavg  10%  10.0 s, 1 min 30 s left",
            "fedavg  20%  20.0 s, 1 min 20 s left", "fedavg 100%  accuracy 0.813  26.0 s  done");
  }

  @Test
  void aTerminalRedrawsOneLine() {
    ConsoleProgress progress = console(true);
    progress.begin("Local", 4, 0);
    advanceClock(0.05);
    progress.stepCompleted();
    assertThat(text()).as("not more often than can be read").doesNotContain("25%");
    advanceClock(0.05);
    progress.stepCompleted();
    assertThat(text())
        .isEqualTo(
            "\rlocal  %s   0%%  0.0 s".formatted(EMPTY.repeat(24))
                + "\rlocal  %s  50%%  0.1 s, 0.1 s left"
                    .formatted(FULL.repeat(12) + EMPTY.repeat(12)));
    advanceClock(1);
    progress.stepCompleted();
    progress.stepCompleted();
    progress.end("done");
    assertThat(text()).endsWith(System.lineSeparator());
    assertThat(text().strip()).endsWith(" 100%  1.1 s  done");
  }

  @Test
  void aShorterLineWipesTheLongerOne() {
    ConsoleProgress progress = console(true);
    progress.begin("local", 2, 0);
    advanceClock(100);
    progress.stepCompleted();
    int longest = text().length() - text().lastIndexOf('\r') - 1;
    progress.stepCompleted();
    advanceClock(1);
    progress.end("done");
    String last = text().substring(text().lastIndexOf('\r') + 1);
    assertThat(last.stripTrailing()).endsWith("done");
    assertThat(last.strip().length()).isLessThan(longest);
    assertThat(last.replace(System.lineSeparator(), "")).hasSize(longest);
  }

  @Test
  void aResumedRunCountsOnlyItsOwnSpeed() {
    ConsoleProgress progress = console(false);
    progress.begin("local", 100, 50);
    advanceClock(10);
    for (int i = 0; i < 10; i++) {
      progress.stepCompleted();
    }
    assertThat(lines()).hasSize(1);
    advanceClock(10);
    progress.stepCompleted();
    // Eleven steps in twenty seconds; thirty-nine are left.
    assertThat(lines().getLast()).isEqualTo("local  61%  20.0 s, 1 min 11 s left");
  }

  @Test
  void nothingIsEverNegativeOrAboveAHundred() {
    ConsoleProgress progress = console(false);
    progress.begin("local", 2, 7);
    for (int i = 0; i < 5; i++) {
      advanceClock(11);
      progress.stepCompleted();
    }
    progress.end("done");
    assertThat(lines()).allMatch(line -> line.contains(" 100%")).noneMatch(l -> l.contains("-"));
    assertThat(lines()).noneMatch(line -> line.contains("left"));
  }

  @Test
  void aRunWithoutStepsIsShownToo() {
    ConsoleProgress progress = console(false);
    progress.begin("local", 0, 0);
    progress.end("stopped");
    assertThat(lines()).containsExactly("local   0%  0.0 s  stopped");
  }

  @Test
  void longTimesAreGivenInHours() {
    ConsoleProgress progress = console(false);
    progress.begin("local", 3, 0);
    advanceClock(3600);
    progress.stepCompleted();
    assertThat(lines()).containsExactly("local  33%  1 h 00 min, 2 h 00 min left");
  }

  @Test
  void cellsOfAGridAreNumberedUnlessThereIsOne() {
    ConsoleProgress progress = console(false);
    Progress first = progress.cell(1, 2, "local, seed=1");
    first.begin("Local", 1, 0);
    first.stepCompleted();
    first.end("done");
    Progress second = progress.cell(2, 2, "local, seed=2");
    second.begin("Local", 1, 0);
    second.end("stopped");
    Progress only = progress.cell(1, 1, "run");
    only.begin("Local", 1, 0);
    only.end("done");
    assertThat(lines())
        .containsExactly(
            "[1/2] local, seed=1 100%  0.0 s  done",
            "[2/2] local, seed=2   0%  0.0 s  stopped", "run 100%  0.0 s  done");
  }

  @Test
  void aCellThatFailsBeforeItBeginsShowsNothingOfTheOneBefore() {
    ConsoleProgress progress = console(false);
    progress.cell(1, 3, "a").end("failed");
    Progress second = progress.cell(2, 3, "b");
    second.begin("Local", 1, 0);
    second.stepCompleted();
    second.accuracy(0.5);
    second.end("done");
    progress.cell(3, 3, "c").end("failed");
    assertThat(lines())
        .containsExactly(
            "[1/3] a  failed", "[2/3] b 100%  accuracy 0.500  0.0 s  done", "[3/3] c  failed");
  }

  /** Every text that the terminal showed, as it was before the next one replaced it. */
  private List<String> drawn() {
    return text()
        .lines()
        .flatMap(line -> Stream.of(line.split("\r", -1)))
        .map(String::stripTrailing)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dfca", "semantic-dfl, partition.alpha=0.1, topology=small-world, seed=3"})
  void noLineIsWiderThanATerminalOfEightyColumns(String label) {
    ConsoleProgress progress = console(80);
    Progress cell = progress.cell(11, 12, label);
    cell.begin("ignored", 1000, 0);
    cell.accuracy(0.8125);
    for (int i = 0; i < 500; i++) {
      advanceClock(70);
      cell.stepCompleted();
    }
    cell.end("stopped");
    progress.cell(12, 12, label.repeat(3)).end("failed");

    assertThat(drawn()).hasSizeGreaterThan(500).allMatch(line -> line.length() < 80);
    assertThat(drawn()).anyMatch(line -> line.contains("accuracy 0.813  1 h 10 min, "));
    assertThat(drawn()).anyMatch(line -> line.startsWith("[11/12] ") && line.endsWith("stopped"));
    assertThat(drawn()).anyMatch(line -> line.startsWith("[12/12] ") && line.endsWith("failed"));
  }

  @Test
  void theBarKeepsItsLengthWhileTheFiguresGrow() {
    ConsoleProgress progress = console(80);
    progress.begin("dfedavgm", 1000, 0);
    progress.accuracy(0.5);
    for (int i = 0; i < 900; i++) {
      advanceClock(1 + i);
      progress.stepCompleted();
    }
    assertThat(
            drawn().stream()
                .filter(line -> line.contains("%"))
                .map(line -> line.replaceAll("[^━─]", "").length())
                .distinct())
        .containsExactly(17);
  }
}
