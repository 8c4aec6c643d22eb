package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.lab.run.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private static final String FULL = "━";
  private static final String EMPTY = "─";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private long nanos = 5_000_000_000_000L;

  private Console console(boolean terminal) {
    return new Console(
        new PrintStream(written, true, StandardCharsets.UTF_8), terminal, () -> nanos);
  }

  private void pass(double seconds) {
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
    Console console = console(false);
    console.begin("FedAvg", 100, 0);
    for (int second = 1; second <= 25; second++) {
      pass(1);
      console.deployed();
    }
    console.accuracy(0.8125);
    pass(1);
    console.end("done");
    assertThat(lines())
        .containsExactly(
            "fedavg  10%  10.0 s, 1 min 30 s left",
            "fedavg  20%  20.0 s, 1 min 20 s left", "fedavg 100%  accuracy 0.813  26.0 s  done");
  }

  @Test
  void aTerminalRedrawsOneLine() {
    Console console = console(true);
    console.begin("Local", 4, 0);
    pass(0.05);
    console.deployed();
    assertThat(text()).as("not more often than can be read").doesNotContain("25%");
    pass(0.05);
    console.deployed();
    assertThat(text())
        .isEqualTo(
            "\rlocal  %s   0%%  0.0 s".formatted(EMPTY.repeat(24))
                + "\rlocal  %s  50%%  0.1 s, 0.1 s left"
                    .formatted(FULL.repeat(12) + EMPTY.repeat(12)));
    pass(1);
    console.deployed();
    console.deployed();
    console.end("done");
    assertThat(text()).endsWith(System.lineSeparator());
    assertThat(text().strip()).endsWith(" 100%  1.1 s  done");
  }

  @Test
  void aShorterLineWipesTheLongerOne() {
    Console console = console(true);
    console.begin("local", 2, 0);
    pass(100);
    console.deployed();
    int longest = text().length() - text().lastIndexOf('\r') - 1;
    console.deployed();
    pass(1);
    console.end("done");
    String last = text().substring(text().lastIndexOf('\r') + 1);
    assertThat(last.stripTrailing()).endsWith("done");
    assertThat(last.strip().length()).isLessThan(longest);
    assertThat(last.replace(System.lineSeparator(), "")).hasSize(longest);
  }

  @Test
  void aResumedRunCountsOnlyItsOwnSpeed() {
    Console console = console(false);
    console.begin("local", 100, 50);
    pass(10);
    for (int i = 0; i < 10; i++) {
      console.deployed();
    }
    assertThat(lines()).hasSize(1);
    pass(10);
    console.deployed();
    // Eleven steps in twenty seconds; thirty-nine are left.
    assertThat(lines().getLast()).isEqualTo("local  61%  20.0 s, 1 min 11 s left");
  }

  @Test
  void nothingIsEverNegativeOrAboveAHundred() {
    Console console = console(false);
    console.begin("local", 2, 7);
    for (int i = 0; i < 5; i++) {
      pass(11);
      console.deployed();
    }
    console.end("done");
    assertThat(lines()).allMatch(line -> line.contains(" 100%")).noneMatch(l -> l.contains("-"));
    assertThat(lines()).noneMatch(line -> line.contains("left"));
  }

  @Test
  void aRunWithoutStepsIsShownToo() {
    Console console = console(false);
    console.begin("local", 0, 0);
    console.end("stopped");
    assertThat(lines()).containsExactly("local   0%  0.0 s  stopped");
  }

  @Test
  void longTimesAreGivenInHours() {
    Console console = console(false);
    console.begin("local", 3, 0);
    pass(3600);
    console.deployed();
    assertThat(lines()).containsExactly("local  33%  1 h 00 min, 2 h 00 min left");
  }

  @Test
  void cellsOfAGridAreNumberedUnlessThereIsOne() {
    Console console = console(false);
    Progress first = console.cell(1, 2, "local, seed=1");
    first.begin("Local", 1, 0);
    first.deployed();
    first.end("done");
    Progress second = console.cell(2, 2, "local, seed=2");
    second.begin("Local", 1, 0);
    second.end("stopped");
    Progress only = console.cell(1, 1, "run");
    only.begin("Local", 1, 0);
    only.end("done");
    assertThat(lines())
        .containsExactly(
            "[1/2] local, seed=1 100%  0.0 s  done",
            "[2/2] local, seed=2   0%  0.0 s  stopped", "run 100%  0.0 s  done");
  }

  @Test
  void aCellThatFailsBeforeItBeginsShowsNothingOfTheOneBefore() {
    Console console = console(false);
    console.cell(1, 3, "a").end("failed");
    Progress second = console.cell(2, 3, "b");
    second.begin("Local", 1, 0);
    second.deployed();
    second.accuracy(0.5);
    second.end("done");
    console.cell(3, 3, "c").end("failed");
    assertThat(lines())
        .containsExactly(
            "[1/3] a  failed", "[2/3] b 100%  accuracy 0.500  0.0 s  done", "[3/3] c  failed");
  }
}
