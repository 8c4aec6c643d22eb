package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.experiment.SmallRuns;
import io.kindred.runtime.Progress;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Kills real processes. */
class KilledRunTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 10;

  /** Exit code of a process that signal 9 or 15 has ended. */
  private static final int KILLED = 128 + 9;

  private static final int TERMINATED = 128 + 15;

  @TempDir private Path home;

  /** Lingers until a checkpoint is due, takes a few more steps, and then waits to be killed. */
  static final class KilledProcess implements Progress {
    private static final int LINGER_AT = 4;
    private static final int WAIT_AT = 9;
    private static final long LINGER_MILLIS = 1100;

    private final CountDownLatch never = new CountDownLatch(1);
    private int deployed;

    public static void main(String[] arguments) {
      SmallRuns.run(
              SmallExperiment.with(),
              Path.of(arguments[0]),
              new KilledProcess(),
              new StopSignal(),
              System.err::println)
          .execute(false);
    }

    @Override
    public void stepCompleted() {
      deployed++;
      try {
        if (deployed == LINGER_AT && never.await(LINGER_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new AssertionError("no thread counts this latch down");
        }
        if (deployed == WAIT_AT) {
          never.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void begin(String what, long steps, long done) {}

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {}
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aKilledProcessLeavesARunThatResumesToTheSameTrace() throws Exception {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("killed");
    Process victim = fork(KilledProcess.class, folder.toString());
    try {
      await(victim, () -> hasCheckpoint(folder));
    } finally {
      victim.destroyForcibly();
    }
    assertThat(victim.waitFor()).isEqualTo(KILLED);
    assertThat(new RunFolder(folder).isFinished()).isFalse();
    assertThat(SmallRuns.runToEnd(experiment, folder)).isEqualTo(whole);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aTerminatedProcessWritesACheckpointAndSaysHowToGoOn() throws Exception {
    Path file = home.resolve("long.yaml");
    Files.writeString(file, SmallExperiment.FILE.replace("rounds: 3", "rounds: 100000"));
    Path folder = home.resolve("stopped");
    Process process =
        fork(
            Kindred.class,
            "run",
            file.toString(),
            "--out",
            folder.toString(),
            "--set",
            "evaluation.every=1000");
    try {
      await(process, () -> Files.exists(new RunFolder(folder).metrics()));
      process.destroy();
      assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(TERMINATED);
    assertThat(hasCheckpoint(folder)).isTrue();
    assertThat(Files.readString(log()))
        .contains("stopped; resume with: ./kindred run " + file)
        .contains(" --resume --out " + folder);
  }

  /** A summary contains the wall seconds of its run, so a run that is computed again changes it. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aSweepThatIsKilledThreeTimesComputesNothingTwice() throws Exception {
    Path file = home.resolve("grid.yaml");
    Files.writeString(
        file,
        SmallExperiment.FILE.replace("rounds: 3", "rounds: 40")
            + """
            sweep: {partition.alpha: [0.3, 0.5, 0.7, 1.0, 2.0, 5.0]}
            table: {columns: partition.alpha}
            """);
    Path folder = home.resolve("sweep");
    SortedMap<Path, String> kept = new TreeMap<>();
    for (int finished : List.of(1, 3, 4)) {
      Process sweep = fork(Kindred.class, "sweep", file.toString(), "--out", folder.toString());
      try {
        await(sweep, () -> summaries(folder).size() >= finished);
      } finally {
        sweep.destroyForcibly();
      }
      assertThat(sweep.waitFor()).isEqualTo(KILLED);
      assertThat(folder.resolve("table.csv")).doesNotExist();
      assertThat(summaries(folder)).hasSizeGreaterThan(kept.size()).containsAllEntriesOf(kept);
      kept = summaries(folder);
    }
    assertThat(fork(Kindred.class, "sweep", file.toString(), "--out", folder.toString()).waitFor())
        .isZero();
    assertThat(summaries(folder)).hasSize(6).containsAllEntriesOf(kept);

    Path undisturbed = home.resolve("undisturbed");
    assertThat(
            fork(Kindred.class, "sweep", file.toString(), "--out", undisturbed.toString())
                .waitFor())
        .isZero();
    assertThat(Files.readString(folder.resolve("table.csv")))
        .isEqualTo(Files.readString(undisturbed.resolve("table.csv")));
    for (Path each : summaries(folder).keySet()) {
      assertThat(SmallRuns.results(folder.resolve(each)))
          .isEqualTo(SmallRuns.results(undisturbed.resolve(each)));
    }
  }

  /** The summaries of the finished cells by the names of their folders. */
  private static SortedMap<Path, String> summaries(Path folder) {
    SortedMap<Path, String> found = new TreeMap<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (Stream<Path> cells = Files.list(folder)) {
      for (Path cell : cells.toList()) {
        RunFolder run = new RunFolder(cell);
        if (run.isFinished()) {
          found.put(folder.relativize(cell), Files.readString(run.summary()));
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path log() {
    return home.resolve("log");
  }

  private Process fork(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  /** Polls with a time limit, and fails early if the process ends by itself. */
  private void await(Process process, BooleanSupplier condition) throws Exception {
    long attemptsLeft = TIMEOUT.toMillis() / POLL_MILLIS;
    while (!condition.getAsBoolean()) {
      boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(ended).as("ended too early: %s", Files.readString(log())).isFalse();
      assertThat(attemptsLeft--).as("waited too long").isPositive();
    }
  }

  private static boolean hasCheckpoint(Path folder) {
    try {
      return Files.isDirectory(new RunFolder(folder).checkpoints())
          && !SmallRuns.checkpoints(folder).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
