package io.kindred.methods.rounds;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Result of one step of a phase: the new state, observations to report, and the ticket whose result
 * the algorithm needs next. Without a ticket the phase is complete.
 */
public record PhaseResult<M extends LocalState>(
    M state, List<Observation> observations, Optional<Ticket> work) {
  public PhaseResult {
    observations = List.copyOf(observations);
  }

  public static <M extends LocalState> PhaseResult<M> done(M state, Observation... observations) {
    return new PhaseResult<>(state, List.of(observations), Optional.empty());
  }

  public static <M extends LocalState> PhaseResult<M> compute(M state, Ticket work) {
    return new PhaseResult<>(state, List.of(), Optional.of(work));
  }

  /** The same result, with more observations before its own. */
  public PhaseResult<M> withObservations(List<Observation> before) {
    List<Observation> all = new ArrayList<>(before);
    all.addAll(observations);
    return new PhaseResult<>(state, all, work);
  }
}
