package io.kindred.methods.kin;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Ends a round: the velocity that belongs to the mixed model, and the running averages of all
 * models that were trained.
 *
 * @param velocity how to compute the velocity; empty if it is not that of the mixed model
 * @param averages the running averages to continue
 */
@Named("kin/finish-round")
public record FinishRound(Optional<MeanStep> velocity, List<Averaging> averages)
    implements PureFunction {
  /**
   * The velocity with which SGD would have gone from one model to the other in so many equal steps.
   *
   * @param scale learning rate times the number of steps
   */
  public record MeanStep(Weights before, Weights after, double scale) {
    Weights velocity() {
      float[] values =
          VectorKernels.mix(
                  new Mixture(
                      List.of(
                          new MixturePart(before, 1 / scale), new MixturePart(after, -1 / scale))))
              .copy();
      for (Layout.Block block : before.layout().blocks()) {
        // Running statistics are no result of steps along a gradient.
        if (!block.trained()) {
          Arrays.fill(values, block.offset(), block.end(), 0);
        }
      }
      return Weights.wrap(before.layout(), values);
    }
  }

  /**
   * One step of a running average.
   *
   * @param average the average so far; empty before the first step
   * @param keep share of the average so far
   */
  public record Averaging(Optional<Weights> average, Weights model, double keep) {
    Weights next() {
      return average
          .filter(_ -> keep > 0)
          .map(
              before ->
                  VectorKernels.mix(
                      new Mixture(
                          List.of(
                              new MixturePart(before, keep), new MixturePart(model, 1 - keep)))))
          .orElse(model);
    }
  }

  /** The velocity if one was asked for, and the averages in the order in which they were asked. */
  @Named("kin/finished-round")
  public record FinishedRound(Optional<Weights> velocity, List<Weights> averages)
      implements Answer {
    public FinishedRound {
      averages = List.copyOf(averages);
    }
  }

  public FinishRound {
    averages = List.copyOf(averages);
  }

  /**
   * The share that the running average keeps, after so many steps: the plain mean at first, so that
   * the first models do not count for long.
   */
  static double keep(double longRun, int stepsBefore) {
    return Math.min(longRun, 1 - 1 / (stepsBefore + 1.0));
  }

  @Override
  public FinishedRound apply() {
    return new FinishedRound(
        velocity.map(MeanStep::velocity), averages.stream().map(Averaging::next).toList());
  }

  @Override
  public long operations() {
    long size = averages.isEmpty() ? 0 : averages.getFirst().model().size();
    return 4 * size * (averages.size() + (velocity.isPresent() ? 1 : 0));
  }
}
