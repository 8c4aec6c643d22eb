package io.kindred.core.compute;

import io.kindred.core.random.StreamKey;
import io.kindred.core.record.AddedLater;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

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
   * Trains from given weights; the answer is {@link Result.Trained}.
   *
   * @param shuffle names the order of the samples
   * @param model which of the peer's models this is: a peer that keeps velocities keeps one for
   *     each number from zero on, and none for {@link #TEMPORARY}
   * @param velocity the velocity of SGD before the first step, with the layout of the weights; zero
   *     if empty. Layers that are not trained keep theirs, and running statistics have velocity
   *     zero
   * @param returnsVelocity whether the result contains the velocity after the last step
   */
  @Buildable
  record Train(
      Weights from,
      Objective objective,
      DataView view,
      Optimizer optimizer,
      int batch,
      Duration duration,
      StreamKey shuffle,
      @AddedLater int model,
      @AddedLater Optional<Weights> velocity,
      @AddedLater boolean returnsVelocity)
      implements Ticket {
    /** The number of a model that the peer discards after use, such as one of a measurement. */
    public static final int TEMPORARY = -1;

    public Train {
      boolean needsVelocity = velocity.isPresent() || returnsVelocity;
      if (needsVelocity && !(optimizer.rule() instanceof Optimizer.Rule.Sgd)) {
        throw new IllegalArgumentException(
            "only SGD has a velocity; a ticket with " + optimizer.rule() + " can have none");
      }
      if (velocity.isPresent() && !velocity.get().layout().equals(from.layout())) {
        throw new IllegalArgumentException(
            "the velocity has the layout "
                + velocity.get().layout()
                + " and the weights have the layout "
                + from.layout());
      }
    }

    /** Trains the peer's first model from velocity zero, and returns no velocity. */
    public Train(
        Weights from,
        Objective objective,
        DataView view,
        Optimizer optimizer,
        int batch,
        Duration duration,
        StreamKey shuffle) {
      this(from, objective, view, optimizer, batch, duration, shuffle, 0, Optional.empty(), false);
    }

    /** The same training for another of the peer's models. */
    public Train ofModel(int number) {
      return TrainBuilder.from(this).model(number).build();
    }

    /** The same training from a velocity, zero if empty; the result contains the final velocity. */
    public Train fromVelocity(Optional<Weights> start) {
      return TrainBuilder.from(this).velocity(start).returnsVelocity(true).build();
    }

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
