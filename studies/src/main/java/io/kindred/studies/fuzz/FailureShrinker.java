package io.kindred.studies.fuzz;

import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.fault.Faults;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks for a smaller experiment that fails in the same way: with fewer peers and rounds, without
 * churn and without each kind of fault. It keeps a smaller experiment only if the same checker
 * rejects it, and tries again until no step helps or the runs are used up.
 */
public final class FailureShrinker {
  /** A smaller failure, and the number of runs that it took to find it. */
  public record Shrunk(Experiment experiment, FuzzFailure failure, int runs) {
    /** One line for users. */
    public String line() {
      return "smallest of "
          + runs
          + " tries: "
          + experiment.peers()
          + " peers, "
          + experiment.rounds()
          + " rounds, faults: "
          + FaultRates.text(experiment.faults())
          + "; "
          + failure.line();
    }
  }

  private static final int LEAST_PEERS = 2;

  private final DataFiles data;
  private final int mostRuns;
  private int runs;

  /**
   * A shrinker of one failure.
   *
   * @param mostRuns after so many runs the smallest failure so far is the result
   */
  public FailureShrinker(DataFiles data, int mostRuns) {
    this.data = data;
    this.mostRuns = mostRuns;
  }

  /** The smallest failure found. */
  public Shrunk shrink(Experiment experiment, FuzzFailure failure) {
    Shrunk smallest = new Shrunk(experiment, failure, 0);
    boolean smaller = true;
    while (smaller && runs < mostRuns) {
      smaller = false;
      for (Supplier<Experiment> step : steps(smallest.experiment())) {
        Optional<Shrunk> next = attempt(step, failure.what());
        if (next.isPresent()) {
          smallest = next.get();
          smaller = true;
          break;
        }
      }
    }
    return new Shrunk(smallest.experiment(), smallest.failure(), runs);
  }

  private Optional<Shrunk> attempt(Supplier<Experiment> step, String what) {
    if (runs >= mostRuns) {
      return Optional.empty();
    }
    runs++;
    try {
      Experiment candidate = step.get();
      return new ExperimentFuzzCheck(candidate, data)
          .run()
          .filter(failure -> failure.what().equals(what))
          .map(failure -> new Shrunk(candidate, failure, runs));
    } catch (RuntimeException impossible) {
      // A method may refuse so few peers, or a partition so few samples; then this is no step.
      return Optional.empty();
    }
  }

  /** Smaller experiments, those that are much smaller first. */
  private static List<Supplier<Experiment>> steps(Experiment experiment) {
    List<Supplier<Experiment>> steps = new ArrayList<>();
    for (int peers : fewer(experiment.peers(), LEAST_PEERS)) {
      steps.add(() -> ExperimentBuilder.from(experiment).peers(peers).build());
    }
    for (int rounds : fewer(experiment.rounds(), 1)) {
      steps.add(() -> ExperimentBuilder.from(experiment).rounds(rounds).build());
    }
    if (!(experiment.churn() instanceof NoChurn)) {
      steps.add(() -> ExperimentBuilder.from(experiment).churn(new NoChurn()).build());
    }
    for (Faults faults : FaultRates.withoutOne(experiment.faults())) {
      steps.add(() -> ExperimentBuilder.from(experiment).faults(faults).build());
    }
    return steps;
  }

  /** Half as many, and one less. */
  private static List<Integer> fewer(int count, int least) {
    List<Integer> fewer = new ArrayList<>();
    if (count / 2 >= least && count / 2 < count - 1) {
      fewer.add(count / 2);
    }
    if (count - 1 >= least) {
      fewer.add(count - 1);
    }
    return fewer;
  }
}
