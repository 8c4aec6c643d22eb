package io.kindred.learning.training;

import io.kindred.core.PeerId;
import io.kindred.core.work.Ticket;
import io.kindred.learning.model.Architecture;

/**
 * Counts the arithmetic of a ticket from its sizes alone: what its virtual duration follows from.
 */
public record Operations(Architecture architecture, Holdings holdings) {
  /** A backward pass costs about twice a forward one. */
  private static final long TRAINING_FACTOR = 3;

  public long of(PeerId peer, Ticket ticket) {
    long forward = architecture.forwardOperations();
    long weights = architecture.layout().size();
    return switch (ticket) {
      case Ticket.Train train -> {
        long samples = holdings.count(peer, train.view());
        yield TRAINING_FACTOR
            * forward
            * switch (train.duration()) {
              case Ticket.Duration.Epochs(int count) -> count * samples;
              case Ticket.Duration.Steps(int count) ->
                  (train.objective().lookahead() > 0 ? 2L : 1L)
                      * count
                      * (train.batch() == 0 ? samples : Math.min(train.batch(), samples));
            };
      }
      case Ticket.Losses losses ->
          forward * holdings.count(peer, losses.view()) * losses.mixtures().size();
      case Ticket.Outputs outputs -> forward * holdings.count(peer, outputs.view());
      case Ticket.Mix mix -> 2 * weights * mix.mixture().parts().size();
      case Ticket.Call call -> call.function().operations();
    };
  }
}
