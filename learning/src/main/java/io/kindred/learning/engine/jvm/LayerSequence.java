package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.List;

/** Layers in order, with their weights in order from an offset on. */
final class LayerSequence implements JvmLayer {
  private static final float[] NO_WEIGHTS = {};

  private final List<JvmLayer> layers = new ArrayList<>();
  private final RowMajorView inputRows;
  // The first layer with weights; all layers before it compute the same for all models.
  private int firstTrainedLayer = Integer.MAX_VALUE;
  private final boolean needsInputGradient;
  private int offset;
  private int features;

  /**
   * {@code needsInputGradient} is whether a layer before these has weights to train; {@code
   * inputRows} are the inputs as rows of samples.
   */
  LayerSequence(
      List<LayerShape> shapes,
      int offset,
      int features,
      boolean needsInputGradient,
      RowMajorView inputRows) {
    this.offset = offset;
    this.features = features;
    this.needsInputGradient = needsInputGradient;
    this.inputRows = inputRows;
    for (int i = 0; i < shapes.size(); i++) {
      if (i + 1 < shapes.size()
          && shapes.get(i) instanceof LayerShape.Relu
          && shapes.get(i + 1) instanceof LayerShape.MaxPool pool) {
        // The largest value is rectified just as well after pooling, when there are fewer.
        append(pool);
        append(shapes.get(i++));
      } else {
        append(shapes.get(i));
      }
    }
  }

  private void append(LayerShape shape) {
    int from = offset;
    layers.add(layer(shape));
    if (offset > from && firstTrainedLayer > layers.size()) {
      firstTrainedLayer = layers.size() - 1;
    }
  }

  /** Makes a layer for the features so far, and counts its weights and outputs. */
  private JvmLayer layer(LayerShape shape) {
    boolean passesBack = needsInputGradient || firstTrainedLayer < layers.size();
    int at = offset;
    int inputs = features;
    return switch (shape) {
      case LayerShape.Dense dense -> {
        count(dense.outputs() * (dense.inputs() + 1), dense.outputs());
        RowMajorView rows =
            layers.isEmpty() ? inputRows : new RowMajorView.Transposed(dense.inputs());
        yield new DenseLayer(at, dense.inputs(), dense.outputs(), passesBack, rows);
      }
      case LayerShape.Convolution filter -> convolution(filter.grouped(), passesBack);
      case LayerShape.GroupedConvolution filter -> convolution(filter, passesBack);
      case LayerShape.BatchNorm norm -> {
        count(4 * norm.channels(), inputs);
        yield new BatchNormLayer(at, norm);
      }
      case LayerShape.MaxPool pool -> {
        count(0, pool.output().size());
        yield new MaxPoolLayer(pool);
      }
      case LayerShape.AveragePool(var volume) -> {
        count(0, volume.channels());
        yield new AveragePoolLayer(volume);
      }
      case LayerShape.Residual residual -> {
        LayerSequence path = branch(residual.path(), inputs, passesBack);
        LayerSequence shortcut = branch(residual.shortcut(), inputs, passesBack);
        features = path.outputs();
        yield new ResidualLayer(inputs, features, passesBack, path, shortcut);
      }
      case LayerShape.Concatenation fork -> {
        List<LayerSequence> branches = new ArrayList<>();
        fork.branches().forEach(each -> branches.add(branch(each, inputs, passesBack)));
        features = branches.stream().mapToInt(LayerSequence::outputs).sum();
        yield new ConcatenationLayer(inputs, passesBack, branches);
      }
      case LayerShape.Relu() -> new ReluLayer(inputs);
      case LayerShape.Relu6() -> new Relu6Layer(inputs);
      case LayerShape.Dropout(double share) -> new DropoutLayer(share, inputs);
      case LayerShape.CubeRoot() -> new CubeRootLayer(inputs);
      case LayerShape.Encoder encoder -> {
        count(TextEncoderLayer.size(encoder), encoder.hidden());
        yield new TextEncoderLayer(at, encoder);
      }
    };
  }

  private ConvolutionLayer convolution(LayerShape.GroupedConvolution filter, boolean passesBack) {
    int at = offset;
    count(filter.filters() * (filter.fanIn() + (filter.bias() ? 1 : 0)), filter.output().size());
    return new ConvolutionLayer(at, filter, passesBack);
  }

  private LayerSequence branch(List<LayerShape> shapes, int inputs, boolean passesBack) {
    LayerSequence branch =
        new LayerSequence(shapes, offset, inputs, passesBack, new RowMajorView.Transposed(inputs));
    offset = branch.offset;
    return branch;
  }

  private void count(int weights, int outputs) {
    offset += weights;
    features = outputs;
  }

  /** Values of a sample after the last layer. */
  int outputs() {
    return features;
  }

  /** The inputs of the first layer with weights, or of the end if there is none. */
  float[] untrained(float[] x, int samples) {
    float[] signal = x;
    for (int l = 0; l < Math.min(firstTrainedLayer, layers.size()); l++) {
      signal = layers.get(l).forwardInference(NO_WEIGHTS, signal, samples);
    }
    return signal;
  }

  /**
   * The outputs for the inputs of the first layer with weights. That layer never writes to its
   * inputs.
   */
  float[] trained(float[] weights, float[] x, int samples) {
    float[] signal = x;
    for (int l = firstTrainedLayer; l < layers.size(); l++) {
      signal = layers.get(l).forwardInference(weights, signal, samples);
    }
    return signal;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    return trained(weights, untrained(x, samples), samples);
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    float[] signal = x;
    for (JvmLayer layer : layers) {
      signal = layer.forwardTraining(weights, signal, samples, noise);
    }
    return signal;
  }

  /** Ends at the first layer with weights if no layer before these has weights. */
  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    float[] back = outputGradient;
    int last = needsInputGradient ? 0 : firstTrainedLayer;
    for (int l = layers.size() - 1; l >= last; l--) {
      back = layers.get(l).backward(weights, back, samples, gradient);
    }
    return back;
  }
}
