package io.kindred.learning.model;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.List;

/** A model for one task: its layers in order, from inputs to class scores. */
public record Architecture(List<LayerShape> layers, int inputs, int classes) {
  public Architecture {
    layers = List.copyOf(layers);
  }

  public Layout layout() {
    Layout.Builder builder = Layout.builder();
    for (LayerShape layer : layers) {
      switch (layer) {
        case LayerShape.Dense dense ->
            builder
                .add(dense.name() + ".weight", dense.outputs(), dense.inputs())
                .add(dense.name() + ".bias", dense.outputs());
        case LayerShape.Relu() -> {}
      }
    }
    return builder.build();
  }

  /**
   * Uniform in plus or minus one over the root of the inputs, weights and biases alike, block by
   * block.
   */
  public Weights initial(RandomStream random) {
    Layout layout = layout();
    float[] values = new float[layout.size()];
    int next = 0;
    for (LayerShape layer : layers) {
      switch (layer) {
        case LayerShape.Dense dense -> {
          double bound = 1 / Math.sqrt(dense.inputs());
          int end = next + dense.outputs() * (dense.inputs() + 1);
          while (next < end) {
            values[next++] = (float) random.uniform(-bound, bound);
          }
        }
        case LayerShape.Relu() -> {}
      }
    }
    return Weights.wrap(layout, values);
  }

  /** Multiply-adds of one sample forward, twice: the operations that virtual time is counted in. */
  public long forwardOperations() {
    long operations = 0;
    for (LayerShape layer : layers) {
      operations +=
          switch (layer) {
            case LayerShape.Dense dense -> 2L * dense.outputs() * (dense.inputs() + 1);
            case LayerShape.Relu() -> 0;
          };
    }
    return operations;
  }
}
