package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Forward and backward through dense layers, with all activations in scratch memory that grows to
 * the largest batch.
 */
final class DenseNetwork {
  /** A dense layer at its place in the flat vector, and whether a rectifier follows it. */
  private record Placed(int offset, int inputs, int outputs, boolean rectified) {}

  private final DenseKernels kernels = new DenseKernels();
  private final List<Placed> layers = new ArrayList<>();
  private final int classes;
  private final SoftmaxRow softmax;
  // activations[0] is the input; deltas[l] belongs to the output of layer l - 1.
  private final float[][] activations;
  private final float[][] deltas;
  private int capacity;

  DenseNetwork(Architecture architecture) {
    int offset = 0;
    List<LayerShape> shapes = architecture.layers();
    for (int i = 0; i < shapes.size(); i++) {
      if (shapes.get(i) instanceof LayerShape.Dense dense) {
        boolean rectified = i + 1 < shapes.size() && shapes.get(i + 1) instanceof LayerShape.Relu;
        layers.add(new Placed(offset, dense.inputs(), dense.outputs(), rectified));
        offset += dense.outputs() * (dense.inputs() + 1);
      }
    }
    classes = architecture.classes();
    softmax = new SoftmaxRow(classes);
    activations = new float[layers.size() + 1][];
    deltas = new float[layers.size() + 1][];
    reserve(1);
  }

  private void reserve(int samples) {
    if (samples <= capacity) {
      return;
    }
    capacity = samples;
    activations[0] = new float[samples * layers.getFirst().inputs()];
    deltas[0] = new float[0];
    for (int l = 0; l < layers.size(); l++) {
      activations[l + 1] = new float[samples * layers.get(l).outputs()];
      deltas[l + 1] = new float[samples * layers.get(l).outputs()];
    }
  }

  /** Scores of rows {@code from} to {@code to}, in their own order. */
  void forward(float[] weights, Rows rows, int from, int to) {
    reserve(to - from);
    int width = layers.getFirst().inputs();
    for (int row = from; row < to; row++) {
      rows.copyFeatures(row, activations[0], (row - from) * width);
    }
    propagate(weights, to - from);
  }

  /** The softmax of a row of the last forward pass; valid until the next call. */
  SoftmaxRow softmax(int row) {
    return softmax.of(activations[layers.size()], row * classes);
  }

  /** Writes the gradient of the weighted mean loss and answers the sum of the weighted losses. */
  double gradient(float[] weights, Batch batch, float[] gradient) {
    int samples = batch.size();
    reserve(samples);
    int width = layers.getFirst().inputs();
    for (int s = 0; s < samples; s++) {
      batch.copyFeatures(s, activations[0], s * width);
    }
    propagate(weights, samples);
    double lossSum = scoreDeltas(batch);
    for (int l = layers.size() - 1; l >= 0; l--) {
      Placed layer = layers.get(l);
      kernels.weightGradient(
          activations[l],
          deltas[l + 1],
          gradient,
          layer.offset(),
          samples,
          layer.inputs(),
          layer.outputs());
      if (l > 0) {
        back(weights, l, samples);
      }
    }
    return lossSum;
  }

  private void propagate(float[] weights, int samples) {
    for (int l = 0; l < layers.size(); l++) {
      Placed layer = layers.get(l);
      float[] out = activations[l + 1];
      kernels.forward(
          activations[l], weights, layer.offset(), out, samples, layer.inputs(), layer.outputs());
      if (layer.rectified()) {
        for (int i = 0; i < samples * layer.outputs(); i++) {
          out[i] = Math.max(0, out[i]);
        }
      }
    }
  }

  private double scoreDeltas(Batch batch) {
    float[] delta = deltas[layers.size()];
    double weightSum = batch.weightSum();
    double scale = weightSum == 0 ? 0 : 1 / weightSum;
    double lossSum = 0;
    for (int s = 0; s < batch.size(); s++) {
      double weight = batch.weight(s);
      int label = batch.label(s);
      SoftmaxRow scores = softmax(s);
      lossSum += weight * scores.loss(label);
      for (int c = 0; c < classes; c++) {
        double error = scores.probability(c) - (c == label ? 1 : 0);
        delta[s * classes + c] = (float) (error * weight * scale);
      }
    }
    return lossSum;
  }

  private void back(float[] weights, int l, int samples) {
    Placed layer = layers.get(l);
    float[] back = deltas[l];
    kernels.inputGradient(
        weights, layer.offset(), deltas[l + 1], back, samples, layer.inputs(), layer.outputs());
    if (layers.get(l - 1).rectified()) {
      float[] out = activations[l];
      for (int i = 0; i < samples * layer.inputs(); i++) {
        if (out[i] <= 0) {
          back[i] = 0;
        }
      }
    }
  }
}
