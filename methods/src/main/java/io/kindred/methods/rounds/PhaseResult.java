package io.kindred.methods.rounds;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One turn of a recipe: what it remembers now, what it reports, and the work whose result it wants
 * to see next. Without work the phase is over.
 */
public record PhaseResult<M extends LocalState>(
    M state, List<Observation> observations, Optional<Ticket> work) {
  public PhaseResult {
    observations = List.copyOf(observations);
  }

  public static <M extends LocalState> PhaseResult<M> done(M memory, Observation... observations) {
    return new PhaseResult<>(memory, List.of(observations), Optional.empty());
  }

  public static <M extends LocalState> PhaseResult<M> compute(M memory, Ticket work) {
    return new PhaseResult<>(memory, List.of(), Optional.of(work));
  }

  /** The same, with more to report before. */
  public PhaseResult<M> withObservations(List<Observation> before) {
    List<Observation> all = new ArrayList<>(before);
    all.addAll(observations);
    return new PhaseResult<>(state, all, work);
  }
}
