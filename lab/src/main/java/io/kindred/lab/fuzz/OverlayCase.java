package io.kindred.lab.fuzz;

import io.kindred.files.config.Binder;
import io.kindred.files.config.ConfigFile;
import io.kindred.files.config.ConfigNode.Mapping;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.overlay.Ordeal;
import io.kindred.lab.overlay.OrdealRun;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.invariants.Violation;
import io.kindred.world.TextFiles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** One overlay under every checker, first attacked and then left alone. */
public final class OverlayCase {
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);
  private static final int LINES_KEPT = 60;

  /** A key that only these have. */
  private static final String KEY = "healSeconds:";

  private final Ordeal ordeal;

  public OverlayCase(Ordeal ordeal) {
    this.ordeal = ordeal;
  }

  /** Whether a configuration is one of an overlay rather than of an experiment. */
  public static boolean isOne(String configuration) {
    return configuration.contains(KEY);
  }

  public static Ordeal ordealOf(String name, String configuration) {
    return ordealOf(ConfigFile.parse(name, configuration));
  }

  public static Ordeal ordealOf(Mapping tree) {
    return BINDER.bind(Ordeal.class, tree);
  }

  /** Runs it; what went wrong, if anything. */
  public Optional<Failure> run() {
    Deque<String> last = new ArrayDeque<>();
    BiConsumer<Long, String> keep =
        (event, line) -> {
          last.add(line);
          if (last.size() > LINES_KEPT) {
            last.remove();
          }
        };
    // Telling costs more than running: only a run that failed is told, the second time.
    return run(Inspector.NONE, last).isEmpty() ? Optional.empty() : run(new Transcript(keep), last);
  }

  /** Runs it and tells what happens as it happens. */
  public Optional<Failure> run(BiConsumer<Long, String> out) {
    return run(new Transcript(out), new ArrayDeque<>());
  }

  private Optional<Failure> run(Inspector inspector, Deque<String> last) {
    OrdealRun run = new OrdealRun(ordeal, TextFiles.NONE, inspector);
    try {
      List<String> faults = run.run();
      return faults.isEmpty()
          ? Optional.empty()
          : failure("NotMended", faults.getFirst(), run, last);
    } catch (Violation violation) {
      return failure(violation.invariant(), String.valueOf(violation.getMessage()), run, last);
    } catch (RuntimeException crash) {
      return failure("Crash", "a peer failed: " + crash, run, last);
    }
  }

  private Optional<Failure> failure(
      String what, String problem, OrdealRun run, Deque<String> last) {
    return Optional.of(
        new Failure(
            what, problem, run.simulation().events(), BINDER.toYaml(ordeal), List.copyOf(last)));
  }
}
