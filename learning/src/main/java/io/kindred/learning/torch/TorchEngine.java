package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.ScoreRow;
import io.kindred.learning.model.Architecture;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Gradients and inference on the native library. Scores are copied to Java, where the loss and its
 * gradient are computed as in the {@code jvm} engine, in doubles; the library computes all else.
 * Each call runs inside a pointer scope, which frees all native objects of the call at its end.
 */
final class TorchEngine implements Engine {
  /** Rows of one inference batch. */
  private static final int INFERENCE_BATCH = 256;

  /** Inputs that inference decodes at once for all models: 8 MB. */
  private static final int INFERENCE_INPUTS = 1 << 21;

  private final DevicePlacement devicePlacement;
  private final int inputs;
  private final int outputs;
  private final Parameters parameters;
  private final Operation network;
  private final ScoreRow scoreRow;
  private NativeFloats inputBuffer = new NativeFloats(0);
  private NativeFloats slope = new NativeFloats(0);
  private float[] features = {};
  private float[] scores = {};
  private float[] scoreGradient = {};

  TorchEngine(Architecture architecture, TorchDevice device) {
    devicePlacement = new DevicePlacement(device);
    inputs = architecture.inputs();
    outputs = architecture.outputs();
    parameters = new Parameters(architecture.layout(), devicePlacement);
    network = NetworkBuilder.build(architecture, parameters, devicePlacement);
    scoreRow = ScoreRow.of(architecture);
  }

  private void reserve(int samples) {
    if (features.length < samples * inputs) {
      features = new float[samples * inputs];
      scores = new float[samples * outputs];
      scoreGradient = new float[samples * outputs];
      inputBuffer = new NativeFloats(features.length);
      slope = new NativeFloats(scoreGradient.length);
    }
  }

  @Override
  public double lossAndGradient(
      float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    Natives.useSingleThread();
    try (PointerScope _ = new PointerScope()) {
      parameters.write(weights);
      Tensor result = forward(batch, ForwardPass.training(batch.size(), noise));
      double lossSum = computeScoreGradient(batch);
      slope.write(scoreGradient, batch.size() * outputs);
      parameters.gradients(result, tensor(slope, 0, batch.size(), outputs), gradient);
      parameters.readRunningStatistics(weights);
      return lossSum;
    }
  }

  /** The scores as a tensor with its graph; their values are in {@link #scores}. */
  private Tensor forward(Batch batch, ForwardPass forwardPass) {
    load(batch);
    return forward(0, batch.size(), forwardPass);
  }

  private void load(Batch batch) {
    reserve(batch.size());
    for (int sample = 0; sample < batch.size(); sample++) {
      batch.copyFeatures(sample, features, sample * inputs);
    }
    inputBuffer.write(features, batch.size() * inputs);
  }

  /** A forward pass of some of the loaded samples. */
  private Tensor forward(int first, int samples, ForwardPass forwardPass) {
    Tensor result = network.apply(tensor(inputBuffer, first, samples, inputs), forwardPass);
    Parameters.copyToArray(result, samples * outputs, scores, 0);
    return result;
  }

  private Tensor tensor(NativeFloats values, int first, int samples, int width) {
    return devicePlacement.toDevice(values.tensor(first * width, samples * width, samples, width));
  }

  private ScoreRow scoresOf(int sample) {
    return scoreRow.read(scores, sample * outputs, 1);
  }

  private double computeScoreGradient(Batch batch) {
    double scale = 1.0 / batch.size();
    double lossSum = 0;
    for (int sample = 0; sample < batch.size(); sample++) {
      double weight = batch.weight(sample);
      ScoreRow row = scoresOf(sample);
      lossSum += weight * row.loss(batch.rows(), batch.row(sample));
      for (int o = 0; o < outputs; o++) {
        scoreGradient[sample * outputs + o] = (float) (row.gradient(o) * weight * scale);
      }
    }
    return lossSum;
  }

  /** Reads the scores of a row by a model. */
  private interface Reader {
    void read(int model, int row, ScoreRow scored);
  }

  /** Switching models copies all weights, so each model evaluates many batches of loaded rows. */
  private void evaluate(List<Weights> models, SampleRows rows, Reader reader) {
    Natives.useSingleThread();
    int[] order = IntStream.range(0, rows.count()).toArray();
    int most = Math.max(1, INFERENCE_INPUTS / inputs / INFERENCE_BATCH) * INFERENCE_BATCH;
    try (PointerScope _ = new PointerScope();
        NoGradGuard _ = new NoGradGuard()) {
      for (int from = 0; from < rows.count(); from += most) {
        int count = Math.min(most, rows.count() - from);
        load(new Batch(rows, order, from, from + count));
        for (int model = 0; model < models.size(); model++) {
          parameters.write(models.get(model).shared());
          evaluateLoaded(model, from, count, reader);
        }
      }
    }
  }

  private void evaluateLoaded(int model, int from, int count, Reader reader) {
    for (int first = 0; first < count; first += INFERENCE_BATCH) {
      int samples = Math.min(INFERENCE_BATCH, count - first);
      try (PointerScope _ = new PointerScope()) {
        forward(first, samples, ForwardPass.evaluation(samples));
      }
      for (int sample = 0; sample < samples; sample++) {
        reader.read(model, from + first + sample, scoresOf(sample));
      }
    }
  }

  @Override
  public List<float[]> losses(List<Weights> models, SampleRows rows) {
    List<float[]> losses = models.stream().map(_ -> new float[rows.count()]).toList();
    evaluate(
        models,
        rows,
        (model, row, scored) -> losses.get(model)[row] = (float) scored.loss(rows, row));
    return losses;
  }

  @Override
  public float[] outputs(Weights weights, SampleRows rows) {
    float[] results = new float[rows.count() * outputs];
    evaluate(
        List.of(weights), rows, (_, row, scored) -> scored.writeOutput(results, row * outputs));
    return results;
  }
}
