package io.kindred.core.compute;

/**
 * How gradients become steps. State such as velocities starts at zero with each ticket: what a peer
 * keeps between rounds are its weights, so mixing never meets moments of another model.
 *
 * @param rule which way to step
 * @param learningRate how far to step
 * @param weightDecay pull of the weights towards zero
 * @param clip the norm that a step's gradient, over all weights that it moves, is cut to before the
 *     rule sees it; zero leaves it as it is
 */
public record Optimizer(Rule rule, double learningRate, double weightDecay, double clip) {
  /** The ways to step. */
  public sealed interface Rule {
    /**
     * Stochastic gradient descent: v = momentum v + g + weightDecay w; w = w - learningRate v. With
     * Nesterov's variant the step is g + weightDecay w + momentum v, v the new one.
     */
    record Sgd(double momentum, boolean nesterov) implements Rule {}

    /**
     * Adam with decoupled weight decay (Loshchilov and Hutter, 2019, algorithm 2): w = (1 -
     * learningRate weightDecay) w, then a step along the bias-corrected moments m / (sqrt(v) +
     * epsilon).
     */
    record AdamW(double beta1, double beta2, double epsilon) implements Rule {
      /** The decays and the epsilon that the paper and most libraries take. */
      public static AdamW withDefaults() {
        return new AdamW(0.9, 0.999, 1e-8);
      }
    }
  }

  /** Descent with momentum and without clipping. */
  public Optimizer(double learningRate, double momentum, double weightDecay) {
    this(new Rule.Sgd(momentum, false), learningRate, weightDecay, 0);
  }
}
