package io.kindred.core.compute;

import io.kindred.core.record.Buildable;

/**
 * Turns gradients into weight updates. Optimizer state starts at zero with each ticket, with one
 * exception: a ticket may state the velocity that SGD starts from, and ask for the velocity that it
 * ends with ({@link Ticket.Train#velocity}).
 *
 * @param rule the update rule
 * @param learningRate step size
 * @param weightDecay pull of the weights towards zero
 * @param clip norm that a step's gradient, over all weights that it moves, is cut to before the
 *     rule is applied; zero disables clipping
 */
@Buildable
public record Optimizer(Rule rule, double learningRate, double weightDecay, double clip) {
  /** The update rules. */
  public sealed interface Rule {
    /**
     * Stochastic gradient descent: v = momentum v + g + weightDecay w; w = w - learningRate v. With
     * Nesterov's variant the step is g + weightDecay w + momentum v, where v is the updated
     * velocity.
     */
    record Sgd(double momentum, boolean nesterov) implements Rule {}

    /**
     * Adam with decoupled weight decay (Loshchilov and Hutter, 2019, algorithm 2): w = (1 -
     * learningRate weightDecay) w, then a step along the bias-corrected moments m / (sqrt(v) +
     * epsilon).
     */
    record AdamW(double beta1, double beta2, double epsilon) implements Rule {
      /** The betas and the epsilon of the paper and of most libraries. */
      public static AdamW withDefaults() {
        return new AdamW(0.9, 0.999, 1e-8);
      }
    }
  }

  /** SGD with momentum and without clipping. */
  public Optimizer(double learningRate, double momentum, double weightDecay) {
    this(new Rule.Sgd(momentum, false), learningRate, weightDecay, 0);
  }
}
