package io.kindred.studies.fuzz;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.oracle.ExactSearch;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSpec;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs an experiment a second time up to an event that its seed draws, and from there from the
 * bytes of a snapshot, as after the end of the process. All events have to be those of the first
 * run.
 */
final class ResumeCheck {
  private static final int DRAW = -3;

  private final Experiment experiment;
  private final SimulationSpec spec;
  private final Workers workers;

  ResumeCheck(Experiment experiment, SimulationSpec spec, Workers workers) {
    this.experiment = experiment;
    this.spec = spec;
    this.workers = workers;
  }

  /** What differs from a run without a stop. */
  Optional<String> difference(Simulation whole) {
    if (whole.events() < 2) {
      return Optional.empty();
    }
    int most = (int) Math.min(Integer.MAX_VALUE, whole.events());
    long stop = new RandomStreams(experiment.seed()).stream(Purpose.FAULTS, DRAW, 0).nextInt(most);
    Simulation resumed = resumedAfter(stop);
    try {
      while (resumed.events() <= whole.events() && resumed.step()) {
        // Every step is compared at the end, by the hash of all events.
      }
    } catch (RuntimeException crash) {
      return Optional.of(
          "resumed from a snapshot after " + stop + " events a peer fails: " + crash);
    }
    return resumed.events() == whole.events() && resumed.traceHash().equals(whole.traceHash())
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "resumed from a snapshot after %d events the run has %d events and trace %s, but %d"
                    + " and %s without a stop",
                stop,
                resumed.events(),
                resumed.traceHash().hex(),
                whole.events(),
                whole.traceHash().hex()));
  }

  private Simulation resumedAfter(long events) {
    Simulation first =
        new Simulation(spec, workers, observed -> {}, exactSearch(), StepListener.NONE);
    boolean continues = true;
    while (continues && first.events() < events) {
      continues = first.step();
    }
    SimulationSnapshot.Encoded encoded = first.snapshot().write(spec);
    Map<Digest, Weights> weights = encoded.weights();
    try {
      return new Simulation(
          spec,
          workers,
          observed -> {},
          exactSearch(),
          StepListener.NONE,
          SimulationSnapshot.read(spec, encoded.bytes().toBytes(), weights::get));
    } catch (MalformedException e) {
      throw new IllegalStateException("a snapshot that was just written cannot be read", e);
    }
  }

  private ExactSearch exactSearch() {
    return new ExactSearch(new RandomStreams(experiment.seed()));
  }
}
