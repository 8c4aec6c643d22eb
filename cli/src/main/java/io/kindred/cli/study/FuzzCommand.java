package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.Overrides;
import io.kindred.storage.json.Json;
import io.kindred.studies.discovery.DiscoveryFuzzCase;
import io.kindred.studies.fuzz.DiscoveryFuzzCheck;
import io.kindred.studies.fuzz.FailureShrinker;
import io.kindred.studies.fuzz.FuzzFailure;
import io.kindred.studies.fuzz.Fuzzer;
import io.kindred.studies.fuzz.OverlayFuzzCheck;
import io.kindred.studies.fuzz.Scenarios;
import io.kindred.studies.overlay.OverlayFuzzCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Searches for bugs by fault injection. */
@Command(
    name = "fuzz",
    mixinStandardHelpOptions = true,
    description = {
      "Searches for bugs by fault injection.",
      "",
      "Runs a scenario once for each seed: first with faults, then without faults, when every peer",
      "has to recover. Invariant checkers watch the whole run. A failure is saved to a file from",
      "which 'kindred replay' repeats it.",
      ""
    },
    footer = {
      "",
      "A scenario is an experiment file; its fault rates are upper limits for the rates that a"
          + " seed",
      "draws. Built-in scenarios: mixed, methods, churn, server, lossy, splits, slow, radio,",
      "hierarchy, crashes, coordinator, hostile, overlay, discovery. In the scenario hostile some",
      "peers lie. The scenario methods runs every method",
      "in each of its forms without a server, and server those with one. The scenarios crashes and",
      "coordinator run hierarchical learning for many rounds while clients crash or the"
          + " coordinator",
      "is lost; learning has to go on. The scenario overlay runs the semantic overlay without a",
      "method; the overlay has to repair itself after the faults. The scenario discovery runs",
      "gossiped views without a method; the views have to recover after the faults.",
      "  kindred fuzz --seeds 1..1000",
      "  kindred fuzz --seeds 1..50 --scenario my-scenario.yaml --set peers=20"
    })
public final class FuzzCommand implements Callable<Integer> {
  /** A failure and the file from which it can be replayed. */
  private record ReportedFailure(String what, long seed, String line, String file) {}

  private record Outcome(long runs, List<ReportedFailure> failures) {}

  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
  private static final List<String> BUILT_IN =
      List.of(
          "mixed",
          "methods",
          "churn",
          "server",
          "lossy",
          "splits",
          "slow",
          "radio",
          "hierarchy",
          "crashes",
          "coordinator",
          "hostile",
          "overlay",
          "discovery");

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      defaultValue = "1..100",
      description = "first and last seed (default: ${DEFAULT-VALUE})")
  private String seeds;

  @Option(
      names = "--scenario",
      paramLabel = "S",
      defaultValue = "mixed",
      description = "a built-in scenario or a file (default: ${DEFAULT-VALUE})")
  private String scenario;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "set a key of the scenario; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/fuzz",
      description = "folder for the failures (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--shrink",
      paramLabel = "RUNS",
      defaultValue = "100",
      description =
          "runs to look for a smaller failure of the first seed that fails, 0 for none (default:"
              + " ${DEFAULT-VALUE})")
  private int shrinkingRuns;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  private final List<ReportedFailure> reportedFailure = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  FuzzCommand() {}

  @Override
  public Integer call() throws IOException {
    Matcher range = RANGE.matcher(seeds);
    if (!range.matches()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--seeds " + seeds + " is not a range of seeds; write it as 1..100");
    }
    long from = Long.parseLong(range.group(1));
    long to = range.group(2) == null ? from : Long.parseLong(range.group(2));
    if (to < from) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--seeds " + seeds + " ends before it begins; write the lower seed first");
    }
    String text = scenarioText();
    if (DiscoveryFuzzCheck.isDiscoveryConfiguration(text)) {
      DiscoveryFuzzCase fuzzCase = DiscoveryFuzzCheck.parseCase(tree(text));
      return fuzzWithoutMethod(
          "discovery",
          from,
          to,
          (fuzzer, progress, stop) -> fuzzer.run(fuzzCase, from, to, progress, stop));
    }
    if (OverlayFuzzCheck.isOverlayConfiguration(text)) {
      OverlayFuzzCase fuzzCase = OverlayFuzzCheck.parseCase(tree(text));
      return fuzzWithoutMethod(
          "overlay",
          from,
          to,
          (fuzzer, progress, stop) -> fuzzer.run(fuzzCase, from, to, progress, stop));
    }
    return fuzzMethods(text, from, to);
  }

  private Mapping tree(String text) {
    return Overrides.apply(ConfigFile.parse(scenario, text), assignments);
  }

  /** Fuzzes one machine without a method. */
  private interface MachineFuzz {
    SortedMap<Long, FuzzFailure> run(
        Fuzzer fuzzer, Fuzzer.ProgressDisplay progress, BooleanSupplier stop);
  }

  private int fuzzWithoutMethod(String name, long from, long to, MachineFuzz machine)
      throws IOException {
    try (StopSignal stop = StopSignal.ofProcess();
        ExecutorService pool = pool()) {
      ConsoleProgress progress = ConsoleProgress.ofProcess();
      progress.begin(name, to - from + 1, 0);
      SortedMap<Long, FuzzFailure> found =
          machine.run(
              new Fuzzer(pool, DataOptions.ofEnvironment()),
              failure -> progress.stepCompleted(),
              stop::requested);
      progress.end(stop.requested() ? "stopped" : found.isEmpty() ? "clean" : "found");
      report(name, name, found);
      return stop.requested() ? ExitCode.STOPPED : summary(to - from + 1);
    }
  }

  private static ExecutorService pool() {
    return Executors.newFixedThreadPool(
        Runtime.getRuntime().availableProcessors(), Thread.ofPlatform().daemon().factory());
  }

  private int summary(long runs) {
    if (json) {
      System.out.print(Json.document(new Outcome(runs, reportedFailure)));
    } else {
      System.out.printf(Locale.ROOT, "%d runs, %d failures%n", runs, reportedFailure.size());
    }
    return reportedFailure.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private int fuzzMethods(String text, long from, long to) throws IOException {
    List<GridCell> cells =
        ExperimentFile.of(ConfigFile.parse(scenario, text), Optional.empty(), assignments).cells();
    try (StopSignal stop = StopSignal.ofProcess();
        ExecutorService pool = pool()) {
      ConsoleProgress progress = ConsoleProgress.ofProcess();
      for (int i = 0; i < cells.size(); i++) {
        Experiment experiment = cells.get(i).experiment();
        String label = cells.get(i).label();
        progress.cell(i + 1, cells.size(), label);
        progress.begin(label, to - from + 1, 0);
        SortedMap<Long, FuzzFailure> found =
            new Fuzzer(pool, DataOptions.ofEnvironment())
                .run(experiment, from, to, failure -> progress.stepCompleted(), stop::requested);
        progress.end(stop.requested() ? "stopped" : found.isEmpty() ? "clean" : "found");
        String name = fileName(cells, i);
        report(name, label, found);
        if (stop.requested()) {
          return ExitCode.STOPPED;
        }
        reportSmallest(name, experiment, found);
      }
    }
    return summary(cells.size() * (to - from + 1));
  }

  private String scenarioText() throws IOException {
    if (BUILT_IN.contains(scenario)) {
      return Scenarios.text(scenario);
    }
    Path file = Path.of(scenario);
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--scenario "
              + scenario
              + " is neither a file nor a built-in scenario (built in: "
              + String.join(", ", BUILT_IN)
              + ")");
    }
    return RunFolder.readText(file);
  }

  /** Shrinks the failure of the first seed, because failures of one method often have one cause. */
  private void reportSmallest(String name, Experiment scenario, SortedMap<Long, FuzzFailure> found)
      throws IOException {
    if (found.isEmpty() || shrinkingRuns == 0) {
      return;
    }
    long seed = found.firstKey();
    FailureShrinker.Shrunk shrunk =
        new FailureShrinker(DataOptions.ofEnvironment(), shrinkingRuns)
            .shrink(Fuzzer.withSeed(scenario, seed), Objects.requireNonNull(found.get(seed)));
    Path file = save(name, seed + "-smallest", shrunk.failure());
    if (!json) {
      System.out.println("seed " + seed + ", " + shrunk.line());
      System.out.println("  replay: ./kindred replay " + file);
    }
  }

  /** The method of a cell, with the number of the cell where several have that method. */
  private static String fileName(List<GridCell> cells, int index) {
    String name = methodOf(cells.get(index));
    boolean several = cells.stream().filter(each -> methodOf(each).equals(name)).count() > 1;
    return several ? name + "-" + (index + 1) : name;
  }

  private static String methodOf(GridCell cell) {
    return cell.label().split("[ =,]", 2)[0].replaceAll("[^a-z0-9-]", "");
  }

  private Path save(String name, String number, FuzzFailure failure) throws IOException {
    Files.createDirectories(out);
    Path file = out.resolve(name + "-" + number + ".json");
    RunFolder.writeText(file, Json.document(failure));
    return file;
  }

  private void report(String name, String label, SortedMap<Long, FuzzFailure> found)
      throws IOException {
    for (Map.Entry<Long, FuzzFailure> each : found.entrySet()) {
      Path file = save(name, each.getKey().toString(), each.getValue());
      this.reportedFailure.add(
          new ReportedFailure(label, each.getKey(), each.getValue().line(), file.toString()));
      if (!json) {
        System.out.println("seed " + each.getKey() + ": " + each.getValue().line());
        System.out.println("  replay: ./kindred replay " + file);
      }
    }
  }
}
