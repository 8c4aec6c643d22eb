package io.kindred.studies.fuzz;

import io.kindred.core.config.TextFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Violation;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.studies.overlay.OverlayFuzzCase;
import io.kindred.studies.overlay.OverlayFuzzRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** One overlay under every checker, first attacked and then left alone. */
public final class OverlayFuzzCheck {
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);
  private static final int LINES_KEPT = 60;

  /** A key that only these have. */
  private static final String DISTINGUISHING_KEY = "healSeconds:";

  private final OverlayFuzzCase fuzzCase;

  public OverlayFuzzCheck(OverlayFuzzCase fuzzCase) {
    this.fuzzCase = fuzzCase;
  }

  /** Whether a configuration is one of an overlay rather than of an experiment. */
  public static boolean isOverlayConfiguration(String configuration) {
    return configuration.contains(DISTINGUISHING_KEY);
  }

  public static OverlayFuzzCase parseCase(String name, String configuration) {
    return parseCase(ConfigFile.parse(name, configuration));
  }

  public static OverlayFuzzCase parseCase(Mapping tree) {
    return BINDER.bind(OverlayFuzzCase.class, tree);
  }

  /** Runs it; what went wrong, if anything. */
  public Optional<FuzzFailure> run() {
    Deque<String> last = new ArrayDeque<>();
    BiConsumer<Long, String> keep =
        (event, line) -> {
          last.add(line);
          if (last.size() > LINES_KEPT) {
            last.remove();
          }
        };
    // Telling costs more than running: only a run that failed is told, the second time.
    return run(StepListener.NONE, last).isEmpty()
        ? Optional.empty()
        : run(new StepTranscript(keep), last);
  }

  /** Runs it and tells what happens as it happens. */
  public Optional<FuzzFailure> run(BiConsumer<Long, String> out) {
    return run(new StepTranscript(out), new ArrayDeque<>());
  }

  private Optional<FuzzFailure> run(StepListener listener, Deque<String> last) {
    OverlayFuzzRun run = new OverlayFuzzRun(fuzzCase, TextFiles.NONE, listener);
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

  private Optional<FuzzFailure> failure(
      String what, String problem, OverlayFuzzRun run, Deque<String> last) {
    return Optional.of(
        new FuzzFailure(
            what, problem, run.simulation().events(), BINDER.toYaml(fuzzCase), List.copyOf(last)));
  }
}
