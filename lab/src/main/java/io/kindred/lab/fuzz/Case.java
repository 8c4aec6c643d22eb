package io.kindred.lab.fuzz;

import io.kindred.core.random.RandomStreams;
import io.kindred.files.config.ConfigFile;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.run.Assembly;
import io.kindred.learning.data.DataFiles;
import io.kindred.simulator.Setup;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.Workers;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.invariants.Violation;
import io.kindred.simulator.oracle.ExactSearch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One experiment under every checker. Once its faults are over, everybody has to get through all
 * rounds.
 */
public final class Case {
  /** Events a peer and round before a run counts as endless. */
  private static final long MOST_EVENTS = 2_000;

  private static final int LINES_KEPT = 60;

  private final Experiment experiment;
  private final DataFiles data;

  public Case(Experiment experiment, DataFiles data) {
    this.experiment = experiment;
    this.data = data;
  }

  /** The experiment of a configuration that was written down. */
  public static Experiment experimentOf(String name, String configuration) {
    return ExperimentFile.of(ConfigFile.parse(name, configuration), Optional.empty(), List.of())
        .experiment();
  }

  /** Runs it; what went wrong, if anything. */
  public Optional<Failure> run() {
    Deque<String> last = new ArrayDeque<>();
    return run(
        (event, line) -> {
          last.add(line);
          if (last.size() > LINES_KEPT) {
            last.remove();
          }
        },
        last);
  }

  /** Runs it and tells what happens as it happens. */
  public Optional<Failure> run(BiConsumer<Long, String> out) {
    return run(out, new ArrayDeque<>());
  }

  private Optional<Failure> run(BiConsumer<Long, String> out, Deque<String> last) {
    Setup setup = Assembly.of(experiment, data);
    Workers workers = new Workers(Runnable::run, setup.trainers(experiment.engine()), () -> 0);
    Invariants checkers =
        Invariants.of(experiment.method(), experiment.peers()).with(new Transcript(out));
    Simulation simulation =
        new Simulation(
            setup.scene(),
            workers,
            observed -> {},
            new ExactSearch(new RandomStreams(experiment.seed())),
            checkers);
    long most = MOST_EVENTS * experiment.peers() * experiment.rounds();
    try {
      while (simulation.step()) {
        if (simulation.events() > most) {
          return failure("Endless", "the run does not come to an end", simulation, last);
        }
      }
    } catch (Violation violation) {
      return failure(
          violation.invariant(), String.valueOf(violation.getMessage()), simulation, last);
    } catch (RuntimeException crash) {
      return failure("Crash", "a peer failed: " + crash, simulation, last);
    }
    return simulation.unfinished().isEmpty()
        ? Optional.empty()
        : failure(
            "NotRecovered",
            "nothing was left to happen, but these had not finished: " + simulation.unfinished(),
            simulation,
            last);
  }

  private Optional<Failure> failure(
      String what, String problem, Simulation simulation, Deque<String> last) {
    return Optional.of(
        new Failure(
            what,
            problem,
            simulation.events(),
            ExperimentFile.resolved(experiment),
            List.copyOf(last)));
  }
}
