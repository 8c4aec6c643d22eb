package io.kindred.learning.engine;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Optimizer.Rule;
import io.kindred.core.compute.Ticket;
import io.kindred.core.weights.Layout;
import java.util.Arrays;

/**
 * Steps of an optimizer and the moments it keeps between them. All operations are element by
 * element, so the compiler may vectorize them without changing a bit.
 */
final class OptimizerState {
  private float[] firstMoments = {};
  private float[] secondMoments = {};
  private int steps;
  private boolean velocityWanted;

  /** Clears the step count and all moments, or starts from the ticket's velocity. */
  void reset(Ticket.Train ticket) {
    Layout layout = ticket.from().layout();
    steps = 0;
    velocityWanted = ticket.returnsVelocity();
    firstMoments = zeroed(firstMoments, layout.size());
    if (ticket.optimizer().rule() instanceof Rule.AdamW) {
      secondMoments = zeroed(secondMoments, layout.size());
    }
    if (ticket.velocity().isPresent()) {
      float[] velocity = ticket.velocity().get().shared();
      for (Layout.Block block : layout.blocks()) {
        if (block.trained()) {
          System.arraycopy(velocity, block.offset(), firstMoments, block.offset(), block.size());
        }
      }
    }
  }

  /** A copy of the velocity of SGD after the steps so far. */
  float[] velocity() {
    return firstMoments.clone();
  }

  private static float[] zeroed(float[] moments, int size) {
    if (moments.length != size) {
      return new float[size];
    }
    Arrays.fill(moments, 0);
    return moments;
  }

  /** Clips the gradient in place and moves the weights of the ranges. */
  void step(Optimizer optimizer, ParameterRanges moved, float[] gradient, float[] weights) {
    steps++;
    clip(optimizer.clip(), moved, gradient);
    switch (optimizer.rule()) {
      case Rule.Sgd(double momentum, boolean nesterov) -> {
        if (momentum == 0 && optimizer.weightDecay() == 0) {
          moved.addScaled(-optimizer.learningRate(), gradient, weights);
          if (velocityWanted) {
            moved.forEach(
                (from, to) -> System.arraycopy(gradient, from, firstMoments, from, to - from));
          }
        } else if (nesterov) {
          moved.forEach(
              (from, to) -> nesterovStep(optimizer, momentum, gradient, weights, from, to));
        } else {
          moved.forEach(
              (from, to) -> momentumStep(optimizer, momentum, gradient, weights, from, to));
        }
      }
      case Rule.AdamW rule ->
          moved.forEach((from, to) -> adamStep(optimizer, rule, gradient, weights, from, to));
    }
  }

  /** A gradient that is NaN stays NaN, so that a check for divergence finds it. */
  private static void clip(double clip, ParameterRanges moved, float[] gradient) {
    if (clip == 0) {
      return;
    }
    double norm = moved.norm(gradient);
    if (norm > clip) {
      float share = (float) (clip / norm);
      moved.forEach(
          (from, to) -> {
            for (int i = from; i < to; i++) {
              gradient[i] *= share;
            }
          });
    }
  }

  private void momentumStep(
      Optimizer optimizer, double kept, float[] gradient, float[] weights, int from, int to) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) kept;
    float decay = (float) optimizer.weightDecay();
    for (int i = from; i < to; i++) {
      float derivative = Math.fma(decay, weights[i], gradient[i]);
      float velocity = Math.fma(momentum, firstMoments[i], derivative);
      firstMoments[i] = velocity;
      weights[i] = Math.fma(-rate, velocity, weights[i]);
    }
  }

  private void nesterovStep(
      Optimizer optimizer, double kept, float[] gradient, float[] weights, int from, int to) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) kept;
    float decay = (float) optimizer.weightDecay();
    for (int i = from; i < to; i++) {
      float derivative = Math.fma(decay, weights[i], gradient[i]);
      float velocity = Math.fma(momentum, firstMoments[i], derivative);
      firstMoments[i] = velocity;
      weights[i] = Math.fma(-rate, Math.fma(momentum, velocity, derivative), weights[i]);
    }
  }

  private void adamStep(
      Optimizer optimizer, Rule.AdamW rule, float[] gradient, float[] weights, int from, int to) {
    float firstDecay = (float) rule.beta1();
    float firstShare = (float) (1 - rule.beta1());
    float secondDecay = (float) rule.beta2();
    float secondShare = (float) (1 - rule.beta2());
    float kept = (float) (1 - optimizer.learningRate() * optimizer.weightDecay());
    // StrictMath, because the last bit of a power must not depend on the JIT compiler.
    float rate = (float) (optimizer.learningRate() / (1 - StrictMath.pow(rule.beta1(), steps)));
    float scale = (float) (1 / Math.sqrt(1 - StrictMath.pow(rule.beta2(), steps)));
    float epsilon = (float) rule.epsilon();
    for (int i = from; i < to; i++) {
      float derivative = gradient[i];
      firstMoments[i] = Math.fma(firstDecay, firstMoments[i], firstShare * derivative);
      secondMoments[i] =
          Math.fma(secondDecay, secondMoments[i], secondShare * derivative * derivative);
      float spread = Math.fma((float) Math.sqrt(secondMoments[i]), scale, epsilon);
      weights[i] = Math.fma(-rate, firstMoments[i] / spread, weights[i] * kept);
    }
  }
}
