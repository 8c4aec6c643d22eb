package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Objective.Term;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.learning.model.Architecture;
import java.util.Arrays;

/** Training and inference of dense networks on the {@code jvm} engine. */
final class JvmEngine implements Engine {
  /** Rows that inference takes at once. */
  private static final int INFERENCE_BATCH = 64;

  private final Architecture architecture;
  private final DenseNetwork network;
  private float[] gradient = {};
  private float[] velocity = {};
  private float[] current = {};

  JvmEngine(Architecture architecture) {
    this.architecture = architecture;
    this.network = new DenseNetwork(architecture);
  }

  @Override
  public Result.Trained train(Ticket.Train ticket, Rows rows, RandomStream shuffle) {
    prepare(ticket.from());
    if (rows.count() == 0) {
      return new Result.Trained(ticket.from(), 0, 0);
    }
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
        order = shuffle.permutation(rows.count());
        lossSum = 0;
        weightSum = 0;
      }
      int from = step % stepsPerEpoch * batch;
      int to = Math.min(from + batch, rows.count());
      double weight = network.gradient(current, rows, order, from, to, gradient);
      lossSum += network.lossSum();
      weightSum += weight;
      samples += to - from;
      addTerms(ticket);
      descend(ticket.optimizer());
    }
    Weights trained = Weights.copyOf(ticket.from().layout(), current);
    return new Result.Trained(trained, weightSum == 0 ? 0 : lossSum / weightSum, samples);
  }

  private void prepare(Weights from) {
    if (from.size() != architecture.layout().size()) {
      throw new IllegalArgumentException(
          "the model has " + architecture.layout().size() + " weights, got " + from.size());
    }
    if (current.length != from.size()) {
      gradient = new float[from.size()];
      velocity = new float[from.size()];
      current = new float[from.size()];
    }
    System.arraycopy(from.shared(), 0, current, 0, current.length);
    Arrays.fill(velocity, 0);
  }

  private void addTerms(Ticket.Train ticket) {
    for (Term term : ticket.objective().terms()) {
      switch (term) {
        case Term.Proximal(Weights anchor, double mu) -> {
          float[] anchors = anchor.shared();
          for (int i = 0; i < current.length; i++) {
            gradient[i] = Math.fma((float) mu, current[i] - anchors[i], gradient[i]);
          }
        }
      }
    }
  }

  /** Element by element, so the compiler may vectorize it as it likes without changing a bit. */
  private void descend(Optimizer optimizer) {
    float rate = (float) optimizer.learningRate();
    float momentum = (float) optimizer.momentum();
    float decay = (float) optimizer.weightDecay();
    if (momentum == 0 && decay == 0) {
      for (int i = 0; i < current.length; i++) {
        current[i] = Math.fma(-rate, gradient[i], current[i]);
      }
      return;
    }
    for (int i = 0; i < current.length; i++) {
      float slope = Math.fma(decay, current[i], gradient[i]);
      float speed = Math.fma(momentum, velocity[i], slope);
      velocity[i] = speed;
      current[i] = Math.fma(-rate, speed, current[i]);
    }
  }

  @Override
  public float[] losses(Weights weights, Rows rows) {
    float[] losses = new float[rows.count()];
    for (int from = 0; from < rows.count(); from += INFERENCE_BATCH) {
      int to = Math.min(from + INFERENCE_BATCH, rows.count());
      network.forward(weights.shared(), rows, from, to);
      for (int row = from; row < to; row++) {
        losses[row] = (float) network.softmax(row - from).loss(rows.label(row));
      }
    }
    return losses;
  }

  @Override
  public float[] outputs(Weights weights, Rows rows) {
    int classes = architecture.classes();
    float[] probabilities = new float[rows.count() * classes];
    for (int from = 0; from < rows.count(); from += INFERENCE_BATCH) {
      int to = Math.min(from + INFERENCE_BATCH, rows.count());
      network.forward(weights.shared(), rows, from, to);
      for (int row = from; row < to; row++) {
        network.softmax(row - from).probabilities(probabilities, row * classes);
      }
    }
    return probabilities;
  }
}
