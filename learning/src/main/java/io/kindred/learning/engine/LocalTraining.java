package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Objective.Term;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import java.util.Arrays;

/**
 * Turns gradients into new weights as a ticket says: order of the samples, terms of the objective,
 * optimizer. It works on flat vectors, so it serves every engine. An instance owns scratch memory
 * and serves one thread at a time.
 */
public final class LocalTraining {
  private final Engine engine;
  private float[] gradient = {};
  private float[] velocity = {};

  public LocalTraining(Engine engine) {
    this.engine = engine;
  }

  public Result.Trained train(Ticket.Train ticket, Rows rows, RandomStream random) {
    if (rows.count() == 0) {
      return new Result.Trained(ticket.from(), 0, 0);
    }
    float[] weights = ticket.from().copy();
    prepare(weights.length);
    int batch = ticket.batch() == 0 ? rows.count() : Math.min(ticket.batch(), rows.count());
    int stepsPerEpoch = (rows.count() + batch - 1) / batch;
    int steps =
        switch (ticket.duration()) {
          case Ticket.Duration.Epochs(int count) -> Math.multiplyExact(count, stepsPerEpoch);
          case Ticket.Duration.Steps(int count) -> count;
        };
    int[] order = {};
    double lossSum = 0;
    double weightSum = 0;
    long samples = 0;
    for (int step = 0; step < steps; step++) {
      if (step % stepsPerEpoch == 0) {
        order = random.permutation(rows.count());
        lossSum = 0;
        weightSum = 0;
      }
      int from = step % stepsPerEpoch * batch;
      Batch next = new Batch(rows, order, from, Math.min(from + batch, rows.count()));
      lossSum += engine.slope(weights, next, gradient, random);
      weightSum += next.weightSum();
      samples += next.size();
      addTerms(ticket, weights);
      descend(ticket.optimizer(), ticket.from().layout(), weights);
    }
    return new Result.Trained(
        Weights.wrap(ticket.from().layout(), weights),
        weightSum == 0 ? 0 : lossSum / weightSum,
        samples);
  }

  private void prepare(int size) {
    if (gradient.length != size) {
      gradient = new float[size];
      velocity = new float[size];
    }
    Arrays.fill(velocity, 0);
  }

  private void addTerms(Ticket.Train ticket, float[] weights) {
    for (Term term : ticket.objective().terms()) {
      switch (term) {
        case Term.Proximal(Weights anchor, double mu) -> {
          float[] anchors = anchor.shared();
          for (int i = 0; i < weights.length; i++) {
            gradient[i] = Math.fma((float) mu, weights[i] - anchors[i], gradient[i]);
          }
        }
      }
    }
  }

  /** Element by element, so the compiler may vectorize it as it likes without changing a bit. */
  private void descend(Optimizer optimizer, Layout layout, float[] weights) {
    for (Layout.Block block : layout.blocks()) {
      if (block.trained()) {
        descend(optimizer, weights, block.offset(), block.end());
      }
    }
  }

  private void descend(Optimizer optimizer, float[] weights, int from, int to) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) optimizer.momentum();
    float decay = (float) optimizer.weightDecay();
    if (momentum == 0 && decay == 0) {
      for (int i = from; i < to; i++) {
        weights[i] = Math.fma(-rate, gradient[i], weights[i]);
      }
      return;
    }
    for (int i = from; i < to; i++) {
      float slope = Math.fma(decay, weights[i], gradient[i]);
      float speed = Math.fma(momentum, velocity[i], slope);
      velocity[i] = speed;
      weights[i] = Math.fma(-rate, speed, weights[i]);
    }
  }
}
