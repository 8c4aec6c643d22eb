package io.kindred.studies.fuzz;

import io.kindred.simulator.Simulation;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSpec;
import java.util.Locale;
import java.util.Optional;

/**
 * What peers keep, and what is queued, stays near its level: after no round is a snapshot several
 * times as large as after the second one.
 */
final class MemoryCheck {
  /** In the first round peers still build up what they keep. */
  private static final int LEVEL_ROUNDS = 2;

  /** Peers that wait for different rounds keep up to twice as much. */
  private static final int MOST_TIMES = 3;

  /** An overlay may be complete long after the second round. */
  private static final int LEAST_BYTES = 25_000;

  private static final int LEAST_EVENTS = 20;

  /**
   * The size of a snapshot.
   *
   * @param models distinct vectors of weights
   * @param bytes all that is no weight
   * @param events what is queued
   */
  private record Size(int models, int bytes, int events) {
    static Size of(Simulation simulation, SimulationSpec spec) {
      SimulationSnapshot snapshot = simulation.snapshot();
      SimulationSnapshot.Encoded encoded = snapshot.write(spec);
      SimulationSnapshot.SimulatorState state = snapshot.simulatorState();
      return new Size(
          encoded.weights().size(),
          encoded.bytes().toBytes().length,
          state.queue().size() + state.deferred().size());
    }

    /** At least what is no sign of a leak: a peer that has just restarted keeps next to nothing. */
    Size atLeast(int participants) {
      return new Size(
          Math.max(models, participants),
          Math.max(bytes, LEAST_BYTES * participants),
          Math.max(events, LEAST_EVENTS * participants));
    }

    boolean isWithin(Size level) {
      return models <= MOST_TIMES * level.models
          && bytes <= MOST_TIMES * level.bytes
          && events <= MOST_TIMES * level.events;
    }
  }

  private final SimulationSpec spec;
  private Optional<Size> level = Optional.empty();
  private long next;

  MemoryCheck(SimulationSpec spec) {
    this.spec = spec;
    next = (long) LEVEL_ROUNDS * spec.peers();
  }

  /** What is larger than it was, looked at once a round. */
  Optional<String> excess(Simulation simulation) {
    if (simulation.totalFinishedRounds() < next) {
      return Optional.empty();
    }
    next += spec.peers();
    Size now = Size.of(simulation, spec);
    if (level.isEmpty()) {
      level = Optional.of(now.atLeast(spec.participants().size()));
    }
    return level
        .filter(before -> !now.isWithin(before))
        .map(
            before ->
                String.format(
                    Locale.ROOT,
                    "%d models, %d bytes of states and %d events are kept, more than %d times the"
                        + " level after round %d: %d, %d and %d",
                    now.models(),
                    now.bytes(),
                    now.events(),
                    MOST_TIMES,
                    LEVEL_ROUNDS,
                    before.models(),
                    before.bytes(),
                    before.events()));
  }
}
