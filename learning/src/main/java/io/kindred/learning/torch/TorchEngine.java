package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.engine.SoftmaxRow;
import io.kindred.learning.model.Architecture;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Gradients and inference on the native library. Scores come back to Java, where the loss and its
 * slope are computed as the {@code jvm} engine does, in doubles; everything before them is the
 * library's. Each call runs inside a pointer scope: whatever native it made is gone when it ends.
 */
final class TorchEngine implements Engine {
  /** Rows that inference takes at once. */
  private static final int INFERENCE_BATCH = 256;

  private final Placement placement;
  private final int inputs;
  private final int classes;
  private final Parameters parameters;
  private final Operation network;
  private final SoftmaxRow softmax;
  private NativeFloats signal = new NativeFloats(0);
  private NativeFloats slope = new NativeFloats(0);
  private float[] features = {};
  private float[] scores = {};
  private float[] delta = {};

  TorchEngine(Architecture architecture, Torch.Device device) {
    placement = new Placement(device);
    inputs = architecture.inputs();
    classes = architecture.classes();
    parameters = new Parameters(architecture.layout(), placement);
    network = Network.of(architecture, parameters, placement);
    softmax = new SoftmaxRow(classes);
  }

  private void reserve(int samples) {
    if (features.length < samples * inputs) {
      features = new float[samples * inputs];
      scores = new float[samples * classes];
      delta = new float[samples * classes];
      signal = new NativeFloats(features.length);
      slope = new NativeFloats(delta.length);
    }
  }

  @Override
  public double slope(float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    Natives.claimThread();
    try (PointerScope _ = new PointerScope()) {
      parameters.write(weights);
      Tensor result = forward(batch, Pass.training(batch.size(), noise));
      double lossSum = scoreDeltas(batch);
      slope.write(delta, batch.size() * classes);
      parameters.gradients(result, tensor(slope, batch.size(), classes), gradient);
      parameters.readState(weights);
      return lossSum;
    }
  }

  /** The scores as a tensor with its history; their values are in {@link #scores}. */
  private Tensor forward(Batch batch, Pass pass) {
    int samples = batch.size();
    reserve(samples);
    for (int sample = 0; sample < samples; sample++) {
      batch.copyFeatures(sample, features, sample * inputs);
    }
    signal.write(features, samples * inputs);
    Tensor result = network.apply(tensor(signal, samples, inputs), pass);
    Parameters.read(result, samples * classes, scores, 0);
    return result;
  }

  private Tensor tensor(NativeFloats values, int samples, int width) {
    return placement.place(values.tensor(0, samples * width, samples, width));
  }

  private double scoreDeltas(Batch batch) {
    double weightSum = batch.weightSum();
    double scale = weightSum == 0 ? 0 : 1 / weightSum;
    double lossSum = 0;
    for (int sample = 0; sample < batch.size(); sample++) {
      double weight = batch.weight(sample);
      int label = batch.label(sample);
      SoftmaxRow row = softmax.of(scores, sample * classes);
      lossSum += weight * row.loss(label);
      for (int c = 0; c < classes; c++) {
        double error = row.probability(c) - (c == label ? 1 : 0);
        delta[sample * classes + c] = (float) (error * weight * scale);
      }
    }
    return lossSum;
  }

  /** Takes what it needs from the scores of one part of the rows. */
  private interface Reader {
    void read(Batch part, int from);
  }

  private void evaluate(Weights weights, Rows rows, Reader reader) {
    Natives.claimThread();
    int[] order = IntStream.range(0, rows.count()).toArray();
    try (PointerScope _ = new PointerScope();
        NoGradGuard _ = new NoGradGuard()) {
      parameters.write(weights.shared());
      for (int from = 0; from < rows.count(); from += INFERENCE_BATCH) {
        Batch part = new Batch(rows, order, from, Math.min(from + INFERENCE_BATCH, rows.count()));
        try (PointerScope _ = new PointerScope()) {
          forward(part, Pass.evaluation(part.size()));
        }
        reader.read(part, from);
      }
    }
  }

  @Override
  public float[] losses(Weights weights, Rows rows) {
    float[] losses = new float[rows.count()];
    evaluate(
        weights,
        rows,
        (part, from) -> {
          for (int sample = 0; sample < part.size(); sample++) {
            losses[from + sample] =
                (float) softmax.of(scores, sample * classes).loss(part.label(sample));
          }
        });
    return losses;
  }

  @Override
  public float[] outputs(Weights weights, Rows rows) {
    float[] probabilities = new float[rows.count() * classes];
    evaluate(
        weights,
        rows,
        (part, from) -> {
          for (int sample = 0; sample < part.size(); sample++) {
            softmax
                .of(scores, sample * classes)
                .probabilities(probabilities, (from + sample) * classes);
          }
        });
    return probabilities;
  }
}
