package io.kindred.learning.model;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Task;
import java.util.List;

/** A model for one task: its layers in order, from inputs to class scores or regression values. */
public record Architecture(List<LayerShape> layers, int inputs, int outputs, Task task) {
  public Architecture {
    layers = List.copyOf(layers);
  }

  /** A classification model. */
  public Architecture(List<LayerShape> layers, int inputs, int classes) {
    this(layers, inputs, classes, Task.CLASSIFICATION);
  }

  /** A model with the inputs, outputs and task of a data set. */
  public static Architecture forDataset(List<LayerShape> layers, Dataset dataset) {
    return new Architecture(layers, dataset.width(), dataset.outputs(), dataset.task());
  }

  public Layout layout() {
    Layout.Builder builder = Layout.builder();
    layers.forEach(layer -> addBlocks(layer, builder));
    return builder.build();
  }

  private static void addBlocks(LayerShape layer, Layout.Builder builder) {
    switch (layer) {
      case LayerShape.Dense dense ->
          builder
              .add(dense.name() + ".weight", dense.outputs(), dense.inputs())
              .add(dense.name() + ".bias", dense.outputs());
      case LayerShape.Convolution filter -> {
        builder.add(
            filter.name() + ".weight",
            filter.filters(),
            filter.input().channels(),
            filter.kernel(),
            filter.kernel());
        if (filter.bias()) {
          builder.add(filter.name() + ".bias", filter.filters());
        }
      }
      case LayerShape.BatchNorm norm ->
          builder
              .add(norm.name() + ".weight", norm.channels())
              .add(norm.name() + ".bias", norm.channels())
              .add(norm.name() + ".running_mean", false, norm.channels())
              .add(norm.name() + ".running_var", false, norm.channels());
      case LayerShape.GroupedConvolution filter -> {
        builder.add(
            filter.name() + ".weight",
            filter.filters(),
            filter.depth(),
            filter.kernel().height(),
            filter.kernel().width());
        if (filter.bias()) {
          builder.add(filter.name() + ".bias", filter.filters());
        }
      }
      case LayerShape.Concatenation fork ->
          fork.branches().forEach(branch -> branch.forEach(inner -> addBlocks(inner, builder)));
      case LayerShape.Encoder encoder ->
          EncoderBlocks.of(encoder)
              .forEach(block -> builder.add(block.name(), block.shape().toArray(Integer[]::new)));
      case LayerShape.Residual residual -> {
        residual.path().forEach(inner -> addBlocks(inner, builder));
        residual.shortcut().forEach(inner -> addBlocks(inner, builder));
      }
      case LayerShape.Relu _,
          LayerShape.Relu6 _,
          LayerShape.MaxPool _,
          LayerShape.AveragePool _,
          LayerShape.Dropout _,
          LayerShape.CubeRoot _ -> {}
    }
  }

  /**
   * Draws weights and biases uniformly between plus and minus one over the root of the fan-in,
   * block by block; normalizations start as the identity.
   */
  public Weights initialWeights(RandomStream random) {
    Layout layout = layout();
    WeightInitializer weightInitializer = new WeightInitializer(new float[layout.size()], random);
    layers.forEach(weightInitializer::draw);
    return Weights.wrap(layout, weightInitializer.values);
  }

  /** Fills a flat vector from its start, layer after layer. */
  private static final class WeightInitializer {
    private final float[] values;
    private final RandomStream random;
    private int next;

    WeightInitializer(float[] values, RandomStream random) {
      this.values = values;
      this.random = random;
    }

    void draw(LayerShape layer) {
      switch (layer) {
        case LayerShape.Dense dense ->
            uniform(dense.outputs() * (dense.inputs() + 1), dense.inputs());
        case LayerShape.Convolution filter ->
            uniform(filter.filters() * (filter.fanIn() + (filter.bias() ? 1 : 0)), filter.fanIn());
        case LayerShape.BatchNorm norm -> {
          constant(norm.channels(), 1);
          constant(norm.channels(), 0);
          constant(norm.channels(), 0);
          constant(norm.channels(), 1);
        }
        case LayerShape.GroupedConvolution filter ->
            uniform(filter.filters() * (filter.fanIn() + (filter.bias() ? 1 : 0)), filter.fanIn());
        case LayerShape.Concatenation fork ->
            fork.branches().forEach(branch -> branch.forEach(this::draw));
        case LayerShape.Encoder encoder -> EncoderBlocks.of(encoder).forEach(this::draw);
        case LayerShape.Residual residual -> {
          residual.path().forEach(this::draw);
          residual.shortcut().forEach(this::draw);
        }
        case LayerShape.Relu _,
            LayerShape.Relu6 _,
            LayerShape.MaxPool _,
            LayerShape.AveragePool _,
            LayerShape.Dropout _,
            LayerShape.CubeRoot _ -> {}
      }
    }

    private void draw(EncoderBlocks.Block block) {
      switch (block.initialization()) {
        case ZERO -> constant(block.size(), 0);
        case ONE -> constant(block.size(), 1);
        case NORMAL -> {
          for (int i = 0; i < block.size(); i++) {
            values[next++] = (float) (EncoderBlocks.deviation() * random.nextGaussian());
          }
        }
      }
    }

    private void uniform(int count, int fanIn) {
      double bound = 1 / Math.sqrt(fanIn);
      for (int i = 0; i < count; i++) {
        values[next++] = (float) random.uniform(-bound, bound);
      }
    }

    private void constant(int count, float value) {
      for (int i = 0; i < count; i++) {
        values[next++] = value;
      }
    }
  }

  /**
   * Operations of one sample's forward pass, two for a multiply-add: the unit of virtual compute
   * time.
   */
  public long forwardOperations() {
    return layers.stream().mapToLong(Architecture::operations).sum();
  }

  private static long operations(LayerShape layer) {
    return switch (layer) {
      case LayerShape.Dense dense -> 2L * dense.outputs() * (dense.inputs() + 1);
      case LayerShape.Convolution filter -> 2L * filter.output().size() * (filter.fanIn() + 1);
      case LayerShape.GroupedConvolution filter ->
          2L * filter.output().size() * (filter.fanIn() + 1);
      case LayerShape.Encoder encoder -> operations(encoder);
      case LayerShape.Concatenation fork ->
          fork.branches().stream()
              .mapToLong(branch -> branch.stream().mapToLong(Architecture::operations).sum())
              .sum();
      case LayerShape.BatchNorm norm -> 4L * norm.channels() * norm.area();
      case LayerShape.Residual residual ->
          residual.path().stream().mapToLong(Architecture::operations).sum()
              + residual.shortcut().stream().mapToLong(Architecture::operations).sum();
      case LayerShape.Relu _,
          LayerShape.Relu6 _,
          LayerShape.MaxPool _,
          LayerShape.AveragePool _,
          LayerShape.Dropout _,
          LayerShape.CubeRoot _ ->
          0;
    };
  }

  /** Projections, scores and mixtures of attention, and the two dense layers after it. */
  private static long operations(LayerShape.Encoder encoder) {
    long hidden = encoder.hidden();
    long perToken = 4 * hidden * hidden + 2 * hidden * encoder.intermediate();
    long attention = 2L * encoder.tokens() * hidden;
    return 2L * encoder.tokens() * (encoder.depth() * (perToken + attention))
        + 2L * encoder.tokens() * hidden * encoder.embedding()
        + 2 * hidden * hidden;
  }
}
