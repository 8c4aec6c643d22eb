package io.kindred.learning.engine;

import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Optimizer.Rule;
import java.util.Arrays;

/**
 * Steps of an optimizer and the moments it keeps between them. Element by element, so the compiler
 * may vectorize it as it likes without changing a bit.
 */
final class Descent {
  private float[] first = {};
  private float[] second = {};
  private int steps;

  /** Forgets all moments. */
  void begin(Optimizer optimizer, int size) {
    steps = 0;
    first = zero(first, size);
    if (optimizer.rule() instanceof Rule.AdamW) {
      second = zero(second, size);
    }
  }

  private static float[] zero(float[] moments, int size) {
    if (moments.length != size) {
      return new float[size];
    }
    Arrays.fill(moments, 0);
    return moments;
  }

  /** Clips the gradient in place and moves the weights of the spans. */
  void step(Optimizer optimizer, Spans moved, float[] gradient, float[] weights) {
    steps++;
    clip(optimizer.clip(), moved, gradient);
    switch (optimizer.rule()) {
      case Rule.Descent(double momentum, boolean nesterov) -> {
        if (momentum == 0 && optimizer.weightDecay() == 0) {
          moved.add(-optimizer.learningRate(), gradient, weights);
        } else if (nesterov) {
          moved.each((from, to) -> ahead(optimizer, momentum, gradient, weights, from, to));
        } else {
          moved.each((from, to) -> heavy(optimizer, momentum, gradient, weights, from, to));
        }
      }
      case Rule.AdamW rule ->
          moved.each((from, to) -> adam(optimizer, rule, gradient, weights, from, to));
    }
  }

  /** A gradient that is not a number stays one, so that whoever looks for divergence finds it. */
  private static void clip(double clip, Spans moved, float[] gradient) {
    if (clip == 0) {
      return;
    }
    double norm = moved.norm(gradient);
    if (norm > clip) {
      float share = (float) (clip / norm);
      moved.each(
          (from, to) -> {
            for (int i = from; i < to; i++) {
              gradient[i] *= share;
            }
          });
    }
  }

  private void heavy(
      Optimizer optimizer, double kept, float[] gradient, float[] weights, int from, int to) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) kept;
    float decay = (float) optimizer.weightDecay();
    for (int i = from; i < to; i++) {
      float slope = Math.fma(decay, weights[i], gradient[i]);
      float speed = Math.fma(momentum, first[i], slope);
      first[i] = speed;
      weights[i] = Math.fma(-rate, speed, weights[i]);
    }
  }

  private void ahead(
      Optimizer optimizer, double kept, float[] gradient, float[] weights, int from, int to) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) kept;
    float decay = (float) optimizer.weightDecay();
    for (int i = from; i < to; i++) {
      float slope = Math.fma(decay, weights[i], gradient[i]);
      float speed = Math.fma(momentum, first[i], slope);
      first[i] = speed;
      weights[i] = Math.fma(-rate, Math.fma(momentum, speed, slope), weights[i]);
    }
  }

  private void adam(
      Optimizer optimizer, Rule.AdamW rule, float[] gradient, float[] weights, int from, int to) {
    float firstDecay = (float) rule.firstDecay();
    float firstShare = (float) (1 - rule.firstDecay());
    float secondDecay = (float) rule.secondDecay();
    float secondShare = (float) (1 - rule.secondDecay());
    float kept = (float) (1 - optimizer.learningRate() * optimizer.weightDecay());
    // StrictMath, because the last bit of a power must not depend on who compiled it.
    float rate =
        (float) (optimizer.learningRate() / (1 - StrictMath.pow(rule.firstDecay(), steps)));
    float scale = (float) (1 / Math.sqrt(1 - StrictMath.pow(rule.secondDecay(), steps)));
    float epsilon = (float) rule.epsilon();
    for (int i = from; i < to; i++) {
      float slope = gradient[i];
      first[i] = Math.fma(firstDecay, first[i], firstShare * slope);
      second[i] = Math.fma(secondDecay, second[i], secondShare * slope * slope);
      float spread = Math.fma((float) Math.sqrt(second[i]), scale, epsilon);
      weights[i] = Math.fma(-rate, first[i] / spread, weights[i] * kept);
    }
  }
}
