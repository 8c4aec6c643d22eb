package io.kindred.learning.engine.jvm;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.ScoreRow;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.List;

/** Layers in order, followed by the loss. */
final class JvmNetwork {
  private static final float[] NO_WEIGHTS = {};

  private final List<JvmLayer> layers = new ArrayList<>();
  private final int inputs;
  private final int outputs;
  private final InputBlocks input;
  private final ScoreRow scoreRow;
  // The first layer with weights: the backward pass ends there, and the layers before it compute
  // the same for all models.
  private int firstTrainedLayer = Integer.MAX_VALUE;
  private int loadedSamples;
  private float[] loadedInputs = {};
  private float[] scores = {};
  private float[] scoreGradient = {};

  JvmNetwork(Architecture architecture) {
    inputs = architecture.inputs();
    outputs = architecture.outputs();
    input = new InputBlocks(inputs);
    scoreRow = ScoreRow.of(architecture);
    int offset = 0;
    int features = inputs;
    for (LayerShape shape : architecture.layers()) {
      layers.add(layer(shape, offset, features));
      int size = weightCount(shape);
      if (firstTrainedLayer > layers.size() && size > 0) {
        firstTrainedLayer = layers.size() - 1;
      }
      offset += size;
      features = outputs(shape, features);
    }
    if (features != outputs) {
      throw new IllegalArgumentException(
          "the layers produce " + features + " outputs, but " + outputs + " are required");
    }
  }

  private JvmLayer layer(LayerShape shape, int offset, int features) {
    boolean needsInputGradient = firstTrainedLayer < layers.size();
    return switch (shape) {
      case LayerShape.Dense dense ->
          new DenseLayer(
              offset,
              dense.inputs(),
              dense.outputs(),
              needsInputGradient,
              layers.isEmpty() ? input : new RowMajorView.Transposed(dense.inputs()));
      case LayerShape.Convolution filter ->
          new ConvolutionLayer(offset, filter, needsInputGradient);
      case LayerShape.BatchNorm norm -> new BatchNormLayer(offset, norm);
      case LayerShape.Relu() -> new ReluLayer(features);
      case LayerShape.MaxPool pool -> new MaxPoolLayer(pool);
      case LayerShape.AveragePool(var volume) -> new AveragePoolLayer(volume);
      case LayerShape.Dropout(double share) -> new DropoutLayer(share, features);
      case LayerShape.CubeRoot() -> new CubeRootLayer(features);
      case LayerShape.Residual _ -> throw unsupported("residual layers");
      case LayerShape.GroupedConvolution _ ->
          throw unsupported("grouped or non-square convolutions");
      case LayerShape.Concatenation _ -> throw unsupported("concatenated branches");
      case LayerShape.Relu6 _ -> throw unsupported("ReLU6 layers");
      case LayerShape.Encoder _ -> throw unsupported("text encoders");
    };
  }

  private static SettingException unsupported(String what) {
    return new SettingException(
        "engine", "engine jvm does not support " + what, "choose engine torch");
  }

  private static int weightCount(LayerShape shape) {
    return switch (shape) {
      case LayerShape.Dense dense -> dense.outputs() * (dense.inputs() + 1);
      case LayerShape.Convolution filter ->
          filter.filters() * (filter.fanIn() + (filter.bias() ? 1 : 0));
      case LayerShape.BatchNorm norm -> 4 * norm.channels();
      default -> 0;
    };
  }

  private static int outputs(LayerShape shape, int features) {
    return switch (shape) {
      case LayerShape.Dense dense -> dense.outputs();
      case LayerShape.Convolution filter -> filter.output().size();
      case LayerShape.MaxPool pool -> pool.output().size();
      case LayerShape.AveragePool pool -> pool.input().channels();
      default -> features;
    };
  }

  /** Loads rows {@code from} to {@code to}, in their own order, for any number of evaluations. */
  void load(SampleRows rows, int from, int to) {
    loadedSamples = to - from;
    float[] into = input.prepare(loadedSamples);
    for (int row = from; row < to; row++) {
      rows.copyFeatures(row, into, (row - from) * inputs);
    }
    loadedInputs = input.blocks(loadedSamples);
    for (int l = 0; l < Math.min(firstTrainedLayer, layers.size()); l++) {
      loadedInputs = layers.get(l).forwardInference(NO_WEIGHTS, loadedInputs, loadedSamples);
    }
  }

  /** Computes the scores of the loaded rows. A layer with weights never writes to its inputs. */
  void evaluate(float[] weights) {
    float[] signal = loadedInputs;
    for (int l = firstTrainedLayer; l < layers.size(); l++) {
      signal = layers.get(l).forwardInference(weights, signal, loadedSamples);
    }
    scores = signal;
  }

  /** The scores of a row in the last forward pass; valid until the next call. */
  ScoreRow scoresOf(int row) {
    return scoreRow.read(scores, Lanes.indexOf(row, 0, outputs), Lanes.BLOCK_SIZE);
  }

  /** As {@link Engine#lossAndGradient}. */
  double gradient(float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    int samples = batch.size();
    float[] into = input.prepare(samples);
    for (int s = 0; s < samples; s++) {
      batch.copyFeatures(s, into, s * inputs);
    }
    float[] signal = input.blocks(samples);
    for (JvmLayer layer : layers) {
      signal = layer.forwardTraining(weights, signal, samples, noise);
    }
    scores = signal;
    double lossSum = scoreGradients(batch);
    float[] back = scoreGradient;
    for (int l = layers.size() - 1; l >= firstTrainedLayer; l--) {
      back = layers.get(l).backward(weights, back, samples, gradient);
    }
    return lossSum;
  }

  private double scoreGradients(Batch batch) {
    int samples = batch.size();
    int lanes = Lanes.blocks(samples) * Lanes.BLOCK_SIZE;
    scoreGradient = Lanes.ensureCapacity(scoreGradient, lanes * outputs);
    double scale = 1.0 / batch.size();
    double lossSum = 0;
    for (int s = 0; s < samples; s++) {
      double weight = batch.weight(s);
      ScoreRow row = scoresOf(s);
      lossSum += weight * row.loss(batch.rows(), batch.row(s));
      for (int o = 0; o < outputs; o++) {
        scoreGradient[Lanes.indexOf(s, o, outputs)] = (float) (row.gradient(o) * weight * scale);
      }
    }
    for (int s = samples; s < lanes; s++) {
      for (int o = 0; o < outputs; o++) {
        scoreGradient[Lanes.indexOf(s, o, outputs)] = 0;
      }
    }
    return lossSum;
  }
}
