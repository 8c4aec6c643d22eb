package io.kindred.benchmarks;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LocalTraining;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Training steps per second with two workers, every engine on every workload it supports, beside
 * plain PyTorch in two processes: one run, one machine, one table. A PyTorch with the reference
 * BLAS is refused, because against it everything looks fast.
 *
 * <p>Usage: {@code ./benchmarks/run TrainingSpeed [SECONDS] [WORKLOAD...]}
 */
public final class TrainingSpeed {
  private static final int WORKERS = 2;
  private static final int WINDOWS = 6;
  private static final Path PYTHON = Path.of("benchmarks/python/training_speed.py");

  private final double seconds;

  private TrainingSpeed(double seconds) {
    this.seconds = seconds;
  }

  public static void main(String[] arguments) throws Exception {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 12;
    List<Workload> chosen =
        arguments.length < 2
            ? Workload.ALL
            : Arrays.stream(arguments).skip(1).map(Workload::named).toList();
    new TrainingSpeed(seconds).compare(chosen);
  }

  private void compare(List<Workload> workloads) throws Exception {
    Optional<String> version = pythonOutput("blas");
    version.ifPresent(TrainingSpeed::requireFastBlas);
    System.out.println("python: " + version.orElse("absent"));
    System.out.println(
        "steps per second, " + WORKERS + " workers; x = against Python PyTorch in this run");
    double peak =
        together(Collections.nCopies(WORKERS, (Callable<Double>) SgemmPeak::ofThisThread)) / 1e9;
    System.out.println(format("sgemm of 2048^3: %.1f GFLOP/s; %% = share of it", peak));
    for (Workload workload : workloads) {
      OptionalDouble python = python(workload.name());
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-4s", workload.name()));
      line.append(
          python.isPresent() ? format("  python %9.2f", python.getAsDouble()) : "  python  absent");
      for (Class<? extends EngineChoice> type : Workload.engines()) {
        line.append("  ").append(Catalogue.nameOf(type)).append(' ');
        OptionalDouble rate = engine(Workload.engine(type), workload);
        if (rate.isEmpty()) {
          line.append("cannot");
          continue;
        }
        line.append(format("%9.2f", rate.getAsDouble()));
        if (python.isPresent()) {
          line.append(format(" (%.2fx)", rate.getAsDouble() / python.getAsDouble()));
        }
        double gigaflops = rate.getAsDouble() * workload.operationsPerStep() / 1e9;
        line.append(format(" %6.1f GFLOP/s", gigaflops));
        line.append(format(" %3.0f%%", 100 * gigaflops / peak));
      }
      System.out.println(line);
    }
  }

  private static void requireFastBlas(String version) {
    if (version.endsWith(" reference")) {
      throw new SettingException(
          "python",
          version + ": PyTorch multiplies with the reference BLAS, which is many times slower",
          "install OpenBLAS for it (Debian: libopenblas0-pthread), or remove this PyTorch");
    }
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }

  private OptionalDouble engine(EngineChoice choice, Workload workload) throws Exception {
    List<Callable<Double>> workers = new ArrayList<>();
    try {
      for (int i = 0; i < WORKERS; i++) {
        LocalTraining training = new LocalTraining(choice.create(workload.architecture()));
        workers.add(() -> rate(training, workload));
      }
    } catch (SettingException unsupported) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(together(workers));
  }

  private static double together(List<Callable<Double>> workers) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(WORKERS)) {
      double sum = 0;
      for (Future<Double> each : pool.invokeAll(workers)) {
        sum += each.get();
      }
      return sum;
    }
  }

  private double rate(LocalTraining training, Workload workload) {
    TrainingTask task = TrainingTask.of(workload);
    window(training, task, seconds / 3, workload);
    double[] rates = new double[WINDOWS];
    for (int i = 0; i < WINDOWS; i++) {
      rates[i] = window(training, task, seconds / WINDOWS, workload);
    }
    Arrays.sort(rates);
    return (rates[WINDOWS / 2 - 1] + rates[WINDOWS / 2]) / 2;
  }

  private static double window(
      LocalTraining training, TrainingTask task, double length, Workload workload) {
    long start = System.nanoTime();
    long steps = 0;
    do {
      training.train(
          task.ticket(), task.rows(), new RandomStreams(1).stream(task.ticket().shuffle()));
      steps += workload.stepsPerTicket();
    } while (System.nanoTime() - start < length * 1e9);
    return steps / ((System.nanoTime() - start) / 1e9);
  }

  /** Two processes at once; empty where Python or its torch package is missing. */
  private OptionalDouble python(String workload) throws Exception {
    List<Callable<Double>> processes = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      processes.add(() -> pythonProcess(workload));
    }
    double sum = together(processes);
    return Double.isNaN(sum) ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  private double pythonProcess(String workload) throws InterruptedException {
    return pythonOutput(workload, Double.toString(seconds))
        .map(Double::parseDouble)
        .orElse(Double.NaN);
  }

  /** What the script prints; empty where Python or its torch package is missing. */
  private static Optional<String> pythonOutput(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("/usr/bin/python3", PYTHON.toString()));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
