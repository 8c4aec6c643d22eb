package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.engine.ScoreRow;
import io.kindred.learning.model.Architecture;
import java.util.List;
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

  /** Inputs that inference decodes at once for all models: 8 MB. */
  private static final int INFERENCE_INPUTS = 1 << 21;

  private final Placement placement;
  private final int inputs;
  private final int outputs;
  private final Parameters parameters;
  private final Operation network;
  private final ScoreRow scoreRow;
  private NativeFloats signal = new NativeFloats(0);
  private NativeFloats slope = new NativeFloats(0);
  private float[] features = {};
  private float[] scores = {};
  private float[] delta = {};

  TorchEngine(Architecture architecture, TorchDevice device) {
    placement = new Placement(device);
    inputs = architecture.inputs();
    outputs = architecture.outputs();
    parameters = new Parameters(architecture.layout(), placement);
    network = Network.of(architecture, parameters, placement);
    scoreRow = ScoreRow.of(architecture);
  }

  private void reserve(int samples) {
    if (features.length < samples * inputs) {
      features = new float[samples * inputs];
      scores = new float[samples * outputs];
      delta = new float[samples * outputs];
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
      slope.write(delta, batch.size() * outputs);
      parameters.gradients(result, tensor(slope, 0, batch.size(), outputs), gradient);
      parameters.readState(weights);
      return lossSum;
    }
  }

  /** The scores as a tensor with its history; their values are in {@link #scores}. */
  private Tensor forward(Batch batch, Pass pass) {
    load(batch);
    return forward(0, batch.size(), pass);
  }

  private void load(Batch batch) {
    reserve(batch.size());
    for (int sample = 0; sample < batch.size(); sample++) {
      batch.copyFeatures(sample, features, sample * inputs);
    }
    signal.write(features, batch.size() * inputs);
  }

  /** Of some of the loaded samples. */
  private Tensor forward(int first, int samples, Pass pass) {
    Tensor result = network.apply(tensor(signal, first, samples, inputs), pass);
    Parameters.read(result, samples * outputs, scores, 0);
    return result;
  }

  private Tensor tensor(NativeFloats values, int first, int samples, int width) {
    return placement.place(values.tensor(first * width, samples * width, samples, width));
  }

  private ScoreRow scored(int sample) {
    return scoreRow.read(scores, sample * outputs, 1);
  }

  private double scoreDeltas(Batch batch) {
    double weightSum = batch.weightSum();
    double scale = weightSum == 0 ? 0 : 1 / weightSum;
    double lossSum = 0;
    for (int sample = 0; sample < batch.size(); sample++) {
      double weight = batch.weight(sample);
      ScoreRow row = scored(sample);
      lossSum += weight * row.loss(batch.rows(), batch.row(sample));
      for (int o = 0; o < outputs; o++) {
        delta[sample * outputs + o] = (float) (row.slope(o) * weight * scale);
      }
    }
    return lossSum;
  }

  /** Takes what it needs from the scores that a model gives to a row. */
  private interface Reader {
    void read(int model, int row, ScoreRow scored);
  }

  /** Switching models copies all weights, so each goes through many batches of loaded rows. */
  private void evaluate(List<Weights> models, Rows rows, Reader reader) {
    Natives.claimThread();
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
        forward(first, samples, Pass.evaluation(samples));
      }
      for (int sample = 0; sample < samples; sample++) {
        reader.read(model, from + first + sample, scored(sample));
      }
    }
  }

  @Override
  public List<float[]> losses(List<Weights> models, Rows rows) {
    List<float[]> losses = models.stream().map(_ -> new float[rows.count()]).toList();
    evaluate(
        models,
        rows,
        (model, row, scored) -> losses.get(model)[row] = (float) scored.loss(rows, row));
    return losses;
  }

  @Override
  public float[] outputs(Weights weights, Rows rows) {
    float[] answers = new float[rows.count() * outputs];
    evaluate(List.of(weights), rows, (_, row, scored) -> scored.answer(answers, row * outputs));
    return answers;
  }
}
