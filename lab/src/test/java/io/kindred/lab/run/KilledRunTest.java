package io.kindred.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.lab.command.Kindred;
import io.kindred.lab.experiment.Experiment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that are really killed. */
class KilledRunTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 10;

  /** What a process that is ended by signal 9 or 15 answers. */
  private static final int KILLED = 128 + 9;

  private static final int TERMINATED = 128 + 15;

  @TempDir private Path home;

  /** Dawdles past the time of a checkpoint, goes on a little, and then waits for its end. */
  static final class Victim implements Progress {
    private static final int LINGER_AT = 4;
    private static final int WAIT_AT = 9;
    private static final long LINGER_MILLIS = 1100;

    private final CountDownLatch never = new CountDownLatch(1);
    private int deployed;

    public static void main(String[] arguments) {
      SmallRuns.run(
              SmallRuns.experiment(),
              Path.of(arguments[0]),
              new Victim(),
              new StopSignal(),
              System.err::println)
          .execute(false);
    }

    @Override
    public void deployed() {
      deployed++;
      try {
        if (deployed == LINGER_AT && never.await(LINGER_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new AssertionError("nobody counts this down");
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
    Experiment experiment = SmallRuns.experiment();
    SmallRuns.Results whole = SmallRuns.whole(experiment, home.resolve("whole"));
    Path folder = home.resolve("killed");
    Process victim = fork(Victim.class, folder.toString());
    try {
      await(victim, () -> hasCheckpoint(folder));
    } finally {
      victim.destroyForcibly();
    }
    assertThat(victim.waitFor()).isEqualTo(KILLED);
    assertThat(new RunFolder(folder).isFinished()).isFalse();
    assertThat(SmallRuns.toTheEnd(experiment, folder)).isEqualTo(whole);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aTerminatedProcessWritesACheckpointAndSaysHowToGoOn() throws Exception {
    Path file = home.resolve("long.yaml");
    Files.writeString(file, SmallRuns.FILE.replace("rounds: 3", "rounds: 100000"));
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
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(TERMINATED);
    assertThat(hasCheckpoint(folder)).isTrue();
    assertThat(Files.readString(log()))
        .contains("stopped; go on with: ./kindred run " + file)
        .contains(" --resume --out " + folder);
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

  /** Looks again and again, but not for ever, and not after the process has ended by itself. */
  private void await(Process process, BooleanSupplier condition) throws Exception {
    long patience = PATIENCE.toMillis() / POLL_MILLIS;
    while (!condition.getAsBoolean()) {
      boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(ended).as("ended too early: %s", Files.readString(log())).isFalse();
      assertThat(patience--).as("waited too long").isPositive();
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
