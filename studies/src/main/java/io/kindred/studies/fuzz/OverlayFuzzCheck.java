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

/** Runs one overlay under every invariant checker, first with faults and then without. */
public final class OverlayFuzzCheck {
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);
  private static final int LINES_KEPT = 60;

  /** A key that only overlay configurations have. */
  private static final String DISTINGUISHING_KEY = "healSeconds:";

  private final OverlayFuzzCase fuzzCase;

  public OverlayFuzzCheck(OverlayFuzzCase fuzzCase) {
    this.fuzzCase = fuzzCase;
  }

  /** Whether a configuration describes an overlay rather than an experiment. */
  public static boolean isOverlayConfiguration(String configuration) {
    return configuration.contains(DISTINGUISHING_KEY);
  }

  public static OverlayFuzzCase parseCase(String name, String configuration) {
    return parseCase(ConfigFile.parse(name, configuration));
  }

  public static OverlayFuzzCase parseCase(Mapping tree) {
    return BINDER.bind(OverlayFuzzCase.class, tree);
  }

  /** Runs the overlay; returns the failure, if any. */
  public Optional<FuzzFailure> run() {
    Deque<String> last = new ArrayDeque<>();
    BiConsumer<Long, String> keep =
        (event, line) -> {
          last.add(line);
          if (last.size() > LINES_KEPT) {
            last.remove();
          }
        };
    // A transcript costs more than the run itself: only a failed run is repeated with one.
    return run(StepListener.NONE, last).isEmpty()
        ? Optional.empty()
        : run(new StepTranscript(keep), last);
  }

  /** Runs the overlay and writes its transcript while it runs. */
  public Optional<FuzzFailure> run(BiConsumer<Long, String> out) {
    return run(new StepTranscript(out), new ArrayDeque<>());
  }

  private Optional<FuzzFailure> run(StepListener listener, Deque<String> last) {
    OverlayFuzzRun run = new OverlayFuzzRun(fuzzCase, TextFiles.NONE, listener);
    try {
      List<String> faults = run.run();
      return faults.isEmpty()
          ? Optional.empty()
          : failure("NotRepaired", faults.getFirst(), run, last);
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
