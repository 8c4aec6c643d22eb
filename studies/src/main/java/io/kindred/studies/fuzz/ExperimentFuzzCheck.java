package io.kindred.studies.fuzz;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.experiment.ExperimentAssembler;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.invariants.RoundsAreCompleted;
import io.kindred.simulator.invariants.Violation;
import io.kindred.simulator.oracle.ExactSearch;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.storage.config.ConfigFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Runs one experiment under every invariant checker. Once the faults end, every peer has to
 * complete all rounds.
 */
public final class ExperimentFuzzCheck {
  /** Events per peer and round after which a run counts as endless. */
  private static final long MOST_EVENTS = 2_000;

  private static final int LINES_KEPT = 60;

  /** Rounds of the environment without a new model after which a run counts as stalled. */
  private static final double STALL_ROUNDS = 40;

  /** Of so many seeds one is also resumed from a snapshot, because that takes a second run. */
  static final int RESUMED_EVERY = 8;

  private final Experiment experiment;
  private final DataFiles data;

  public ExperimentFuzzCheck(Experiment experiment, DataFiles data) {
    this.experiment = experiment;
    this.data = data;
  }

  /** Parses the experiment of a saved configuration. */
  public static Experiment parseExperiment(String name, String configuration) {
    return ExperimentFile.of(ConfigFile.parse(name, configuration), Optional.empty(), List.of())
        .experiment();
  }

  /** Runs the experiment; returns the failure, if any. */
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

  /** Runs the experiment and writes its transcript while it runs. */
  public Optional<FuzzFailure> run(BiConsumer<Long, String> out) {
    return run(new StepTranscript(out), new ArrayDeque<>());
  }

  private Optional<FuzzFailure> run(StepListener transcript, Deque<String> last) {
    SimulationBuilder builder = ExperimentAssembler.of(experiment, data);
    SimulationSpec spec = builder.build();
    Workers workers = new Workers(Runnable::run, builder.trainers(experiment.engine()), () -> 0);
    Invariants checkers =
        Invariants.of(
                experiment.method(),
                builder.conduct(),
                experiment.peers(),
                peer -> reportedSamples(builder, peer))
            .with(
                new RoundsAreCompleted(
                    experiment.peers(),
                    experiment.rounds(),
                    STALL_ROUNDS * experiment.network().roundSeconds()))
            .with(transcript);
    Simulation simulation =
        new Simulation(
            spec,
            workers,
            observed -> {},
            new ExactSearch(new RandomStreams(experiment.seed())),
            checkers);
    MemoryCheck memory = new MemoryCheck(spec);
    long most = MOST_EVENTS * experiment.peers() * experiment.rounds();
    try {
      while (simulation.step()) {
        if (simulation.events() > most) {
          return failure("Endless", "the run does not end", simulation, last);
        }
        Optional<String> excess = memory.excess(simulation);
        if (excess.isPresent()) {
          return failure("MemoryStaysNearItsLevel", excess.get(), simulation, last);
        }
      }
    } catch (Violation violation) {
      return failure(
          violation.invariant(), String.valueOf(violation.getMessage()), simulation, last);
    } catch (RuntimeException crash) {
      return failure("Crash", "a peer failed: " + crash, simulation, last);
    }
    if (!simulation.unfinishedPeers().isEmpty()) {
      return failure(
          "NotRecovered",
          "no event is left, but these peers have not finished: " + simulation.unfinishedPeers(),
          simulation,
          last);
    }
    return experiment.seed() % RESUMED_EVERY == 0
        ? new ResumeCheck(experiment, spec, workers)
            .difference(simulation)
            .flatMap(problem -> failure("ResumesAsIfNeverStopped", problem, simulation, last))
        : Optional.empty();
  }

  /** A hostile peer may report any number. */
  private static int reportedSamples(SimulationBuilder builder, int peer) {
    return builder.conduct().hostility().isHostile(new PeerId(peer))
        ? -1
        : builder.peerDatasets().splits().get(peer).train().size();
  }

  private Optional<FuzzFailure> failure(
      String what, String problem, Simulation simulation, Deque<String> last) {
    return Optional.of(
        new FuzzFailure(
            what,
            problem,
            simulation.events(),
            ExperimentFile.resolvedYaml(experiment),
            List.copyOf(last)));
  }
}
