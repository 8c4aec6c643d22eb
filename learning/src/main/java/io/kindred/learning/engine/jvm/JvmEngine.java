package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.util.ArrayList;
import java.util.List;

/** Gradients and inference on the {@code jvm} engine. */
final class JvmEngine implements Engine {
  /** Rows of one inference batch. */
  private static final int INFERENCE_BATCH = 64;

  private final Architecture architecture;
  private final JvmNetwork network;
  private final int size;

  JvmEngine(Architecture architecture) {
    this.architecture = architecture;
    this.network = new JvmNetwork(architecture);
    this.size = architecture.layout().size();
  }

  @Override
  public double lossAndGradient(
      float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    requireSize(weights.length);
    return network.gradient(weights, batch, gradient, noise);
  }

  private void requireSize(int actual) {
    if (actual != size) {
      throw new IllegalArgumentException("the model has " + size + " weights, got " + actual);
    }
  }

  @Override
  public List<float[]> losses(List<Weights> models, SampleRows rows) {
    List<float[]> losses = new ArrayList<>();
    for (Weights weights : models) {
      requireSize(weights.size());
      losses.add(new float[rows.count()]);
    }
    for (int from = 0; from < rows.count(); from += INFERENCE_BATCH) {
      int to = Math.min(from + INFERENCE_BATCH, rows.count());
      network.load(rows, from, to);
      for (int model = 0; model < models.size(); model++) {
        network.evaluate(models.get(model).shared());
        for (int row = from; row < to; row++) {
          losses.get(model)[row] = (float) network.scoresOf(row - from).loss(rows, row);
        }
      }
    }
    return losses;
  }

  @Override
  public float[] outputs(Weights weights, SampleRows rows) {
    requireSize(weights.size());
    int outputs = architecture.outputs();
    float[] results = new float[rows.count() * outputs];
    for (int from = 0; from < rows.count(); from += INFERENCE_BATCH) {
      int to = Math.min(from + INFERENCE_BATCH, rows.count());
      network.load(rows, from, to);
      network.evaluate(weights.shared());
      for (int row = from; row < to; row++) {
        network.scoresOf(row - from).writeOutput(results, row * outputs);
      }
    }
    return results;
  }
}
