package io.kindred.benchmarks;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.Engines;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LocalTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Resident memory of the process while one engine keeps training: it should be as large after
 * 20,000 steps as after 2,000. One engine per process, because memory that the first allocated
 * would be reused by the second.
 *
 * <p>Usage: {@code ./benchmarks/run MemoryOverSteps ENGINE WORKLOAD}
 */
public final class MemoryOverSteps {
  private static final List<Integer> REPORT_AT_STEPS =
      List.of(2_000, 5_000, 10_000, 20_000, 40_000);
  private static final Path STATUS = Path.of("/proc/self/status");

  private MemoryOverSteps() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("name an engine and a workload, such as: torch W2");
    }
    Workload workload = Workload.named(arguments[1]);
    LocalTraining training =
        new LocalTraining(engine(arguments[0]).create(workload.architecture()));
    TrainingTask task = TrainingTask.of(workload);
    RandomStreams streams = new RandomStreams(1);
    int steps = 0;
    for (int next : REPORT_AT_STEPS) {
      while (steps < next) {
        training.train(task.ticket(), task.rows(), streams.stream(task.ticket().shuffle()));
        steps += workload.stepsPerTicket();
      }
      System.out.printf(
          Locale.ROOT,
          "%s %s: %d MB after %d steps, %d MB of it heap%n",
          arguments[0],
          workload.name(),
          residentKilobytes() / 1000,
          steps,
          Runtime.getRuntime().totalMemory() / 1_000_000);
    }
  }

  private static EngineChoice engine(String name) {
    for (Class<? extends EngineChoice> type : Engines.ALL.choices()) {
      if (Catalogue.nameOf(type).equals(name)) {
        return Workload.engine(type);
      }
    }
    throw new SettingException("engine", "no engine " + name, "name jvm or torch");
  }

  private static long residentKilobytes() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException(STATUS + " does not state the resident memory");
  }
}
