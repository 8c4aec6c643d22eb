package io.kindred.learning.training;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.model.Architecture;

/**
 * Counts the operations of a ticket from its sizes alone; its virtual duration follows from them.
 */
public record OperationCounter(Architecture architecture, PeerDatasets datasets) {
  /** A backward pass costs about twice a forward one. */
  private static final long TRAINING_FACTOR = 3;

  /**
   * How many times a training goes over all samples of its owner, by the number of its steps: a
   * training on part of the samples that makes as many steps counts as a whole epoch.
   */
  public double epochs(PeerId peer, Ticket.Train train) {
    DataView all = new DataView(train.view().owner(), train.view().split(), new Selection.All());
    double whole = steps(datasets.count(peer, all), train.batch());
    return switch (train.duration()) {
      case Ticket.Duration.Epochs(int count) ->
          count * steps(datasets.count(peer, train.view()), train.batch()) / whole;
      case Ticket.Duration.Steps(int count) -> count / whole;
    };
  }

  private static double steps(int samples, int batch) {
    return batch == 0 ? 1 : Math.max(1, Math.ceil((double) samples / batch));
  }

  public long count(PeerId peer, Ticket ticket) {
    long forward = architecture.forwardOperations();
    long weights = architecture.layout().size();
    return switch (ticket) {
      case Ticket.Train train -> {
        long samples = datasets.count(peer, train.view());
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
          forward * datasets.count(peer, losses.view()) * losses.mixtures().size();
      case Ticket.Outputs outputs -> forward * datasets.count(peer, outputs.view());
      case Ticket.Mix mix -> 2 * weights * mix.mixture().parts().size();
      case Ticket.Call call -> call.function().operations();
    };
  }
}
