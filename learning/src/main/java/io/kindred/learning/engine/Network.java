package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.List;

/** Layers in order, with the loss behind the last. */
final class Network {
  private static final float[] NO_WEIGHTS = {};

  private final List<Layer> layers = new ArrayList<>();
  private final int inputs;
  private final int outputs;
  private final InputBlocks input;
  private final ScoreRow scoreRow;
  // The first layer with weights: the way back ends there, and what comes before it is the same
  // for all models.
  private int trained = Integer.MAX_VALUE;
  private int loadedSamples;
  private float[] loaded = {};
  private float[] scores = {};
  private float[] slope = {};

  Network(Architecture architecture) {
    inputs = architecture.inputs();
    outputs = architecture.outputs();
    input = new InputBlocks(inputs);
    scoreRow = ScoreRow.of(architecture);
    int offset = 0;
    int features = inputs;
    for (LayerShape shape : architecture.layers()) {
      layers.add(layer(shape, offset, features));
      int size = weights(shape);
      if (trained > layers.size() && size > 0) {
        trained = layers.size() - 1;
      }
      offset += size;
      features = outputs(shape, features);
    }
    if (features != outputs) {
      throw new IllegalArgumentException(
          "the layers answer " + features + " scores where " + outputs + " are asked for");
    }
  }

  private Layer layer(LayerShape shape, int offset, int features) {
    boolean passesBack = trained < layers.size();
    return switch (shape) {
      case LayerShape.Dense dense ->
          new DenseLayer(
              offset,
              dense.inputs(),
              dense.outputs(),
              passesBack,
              layers.isEmpty() ? input : new RowsView.Transposed(dense.inputs()));
      case LayerShape.Convolution filter -> new ConvolutionLayer(offset, filter, passesBack);
      case LayerShape.BatchNorm norm -> new BatchNormLayer(offset, norm);
      case LayerShape.Relu() -> new ReluLayer(features);
      case LayerShape.MaxPool pool -> new MaxPoolLayer(pool);
      case LayerShape.AveragePool(var volume) -> new AveragePoolLayer(volume);
      case LayerShape.Dropout(double share) -> new DropoutLayer(share, features);
      case LayerShape.CubeRoot() -> new CubeRootLayer(features);
      case LayerShape.Residual _ -> throw lacking("residual layers");
      case LayerShape.GroupedConvolution _ -> throw lacking("grouped or oblong convolutions");
      case LayerShape.Concatenation _ -> throw lacking("branches side by side");
      case LayerShape.Relu6 _ -> throw lacking("capped rectifiers");
      case LayerShape.Encoder _ -> throw lacking("text encoders");
    };
  }

  private static Complaint lacking(String what) {
    return new Complaint("engine", "engine jvm has no " + what, "choose engine torch");
  }

  private static int weights(LayerShape shape) {
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

  /** Takes rows {@code from} to {@code to}, in their own order, for any number of evaluations. */
  void load(Rows rows, int from, int to) {
    loadedSamples = to - from;
    float[] into = input.prepare(loadedSamples);
    for (int row = from; row < to; row++) {
      rows.copyFeatures(row, into, (row - from) * inputs);
    }
    loaded = input.blocks(loadedSamples);
    for (int l = 0; l < Math.min(trained, layers.size()); l++) {
      loaded = layers.get(l).evaluate(NO_WEIGHTS, loaded, loadedSamples);
    }
  }

  /** Scores of the loaded rows. A layer with weights never writes to its inputs. */
  void evaluate(float[] weights) {
    float[] signal = loaded;
    for (int l = trained; l < layers.size(); l++) {
      signal = layers.get(l).evaluate(weights, signal, loadedSamples);
    }
    scores = signal;
  }

  /** A row of the last forward pass; valid until the next call. */
  ScoreRow scored(int row) {
    return scoreRow.read(scores, Lanes.place(row, 0, outputs), Lanes.COUNT);
  }

  /** As {@link Engine#slope}. */
  double gradient(float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    int samples = batch.size();
    float[] into = input.prepare(samples);
    for (int s = 0; s < samples; s++) {
      batch.copyFeatures(s, into, s * inputs);
    }
    float[] signal = input.blocks(samples);
    for (Layer layer : layers) {
      signal = layer.train(weights, signal, samples, noise);
    }
    scores = signal;
    double lossSum = scoreSlopes(batch);
    float[] back = slope;
    for (int l = layers.size() - 1; l >= trained; l--) {
      back = layers.get(l).back(weights, back, samples, gradient);
    }
    return lossSum;
  }

  private double scoreSlopes(Batch batch) {
    int samples = batch.size();
    int lanes = Lanes.blocks(samples) * Lanes.COUNT;
    slope = Lanes.atLeast(slope, lanes * outputs);
    double weightSum = batch.weightSum();
    double scale = weightSum == 0 ? 0 : 1 / weightSum;
    double lossSum = 0;
    for (int s = 0; s < samples; s++) {
      double weight = batch.weight(s);
      ScoreRow row = scored(s);
      lossSum += weight * row.loss(batch.rows(), batch.row(s));
      for (int o = 0; o < outputs; o++) {
        slope[Lanes.place(s, o, outputs)] = (float) (row.slope(o) * weight * scale);
      }
    }
    for (int s = samples; s < lanes; s++) {
      for (int o = 0; o < outputs; o++) {
        slope[Lanes.place(s, o, outputs)] = 0;
      }
    }
    return lossSum;
  }
}
