package io.kindred.methods.rounds;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.weights.Mixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Result of one step of a phase: the new state, observations to report, and the ticket whose result
 * the algorithm needs next. Without a ticket the phase is complete.
 *
 * @param mixing what the ticket mixes, if it mixes received models
 */
public record PhaseResult<M extends LocalState>(
    M state, List<Observation> observations, Optional<Ticket> work, Optional<Mixing> mixing) {
  /**
   * A mixture of received models, so that the machine can observe whose models they are.
   *
   * @param slot which of the peer's models results
   */
  public record Mixing(int slot, Weighting weighting) {}

  public PhaseResult {
    observations = List.copyOf(observations);
  }

  /** A result that mixes no received models. */
  public PhaseResult(M state, List<Observation> observations, Optional<Ticket> work) {
    this(state, observations, work, Optional.empty());
  }

  public static <M extends LocalState> PhaseResult<M> done(M state, Observation... observations) {
    return new PhaseResult<>(state, List.of(observations), Optional.empty());
  }

  public static <M extends LocalState> PhaseResult<M> compute(M state, Ticket work) {
    return new PhaseResult<>(state, List.of(), Optional.of(work));
  }

  /** Mixes received models, and perhaps own ones before them, into the model of a slot. */
  public static <M extends LocalState> PhaseResult<M> mix(
      M state, int slot, Weighting weighting, Mixture mixture) {
    return new PhaseResult<>(
        state,
        List.of(),
        Optional.of(new Ticket.Mix(mixture)),
        Optional.of(new Mixing(slot, weighting)));
  }

  /** The same result, with more observations before its own. */
  public PhaseResult<M> withObservations(List<Observation> before) {
    List<Observation> all = new ArrayList<>(before);
    all.addAll(observations);
    return new PhaseResult<>(state, all, work, mixing);
  }
}
