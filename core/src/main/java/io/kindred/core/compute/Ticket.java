package io.kindred.core.compute;

import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Work that is slow and pure. A method declares the kinds it needs and a shell the kinds it has.
 * The virtual duration of a ticket follows from the ticket and the device alone, so a simulator may
 * start it at once on any worker.
 */
public sealed interface Ticket {
  /** The kind of a ticket, to compare what a method needs with what a trainer offers. */
  enum Kind {
    TRAIN,
    LOSSES,
    OUTPUTS,
    MIX,
    CALL
  }

  Kind kind();

  /**
   * Trains from given weights; the answer is {@link Result.Trained}. The key names the order of the
   * samples.
   */
  record Train(
      Weights from,
      Objective objective,
      DataView view,
      Optimizer optimizer,
      int batch,
      Duration duration,
      StreamKey shuffle)
      implements Ticket {
    @Override
    public Kind kind() {
      return Kind.TRAIN;
    }
  }

  /** How long to train. */
  sealed interface Duration {
    record Epochs(int count) implements Duration {}

    record Steps(int count) implements Duration {}
  }

  /**
   * The loss of each mixture over one view; the answer is {@link Result.Losses}, mixture by
   * mixture.
   */
  record Losses(List<Mixture> mixtures, DataView view, Detail detail) implements Ticket {
    public Losses {
      mixtures = List.copyOf(mixtures);
    }

    @Override
    public Kind kind() {
      return Kind.LOSSES;
    }
  }

  /** Whether losses are returned as one mean or per sample. */
  enum Detail {
    MEAN,
    PER_SAMPLE
  }

  /** The outputs of a mixture, sample by sample; the answer is {@link Result.Outputs}. */
  record Outputs(Mixture mixture, DataView view) implements Ticket {
    @Override
    public Kind kind() {
      return Kind.OUTPUTS;
    }
  }

  /** Computes a weighted sum; the answer is {@link Result.Mixed}. */
  record Mix(Mixture mixture) implements Ticket {
    @Override
    public Kind kind() {
      return Kind.MIX;
    }
  }

  /**
   * Any other pure function (a clustering, a swap search); the answer is {@link Result.Answered}.
   */
  record Call(PureFunction function) implements Ticket {
    @Override
    public Kind kind() {
      return Kind.CALL;
    }
  }
}
