package io.kindred.learning.torch;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * Turns an architecture into a chain of native operations on one engine's parameters. The extent of
 * the signal between layers follows from their shapes, so reshaping is decided here once and not in
 * every step.
 */
final class NetworkBuilder {
  private final DevicePlacement devicePlacement;
  private final Iterator<Tensor> blocks;
  // The extent of one sample's signal after the layer that was bound last.
  private long[] extent;

  private NetworkBuilder(int inputs, Parameters parameters, DevicePlacement devicePlacement) {
    this.devicePlacement = devicePlacement;
    this.blocks = parameters.blocks().iterator();
    this.extent = new long[] {inputs};
  }

  /** The network from rows of inputs to rows of scores. */
  static Operation build(
      Architecture architecture, Parameters parameters, DevicePlacement devicePlacement) {
    NetworkBuilder networkBuilder =
        new NetworkBuilder(architecture.inputs(), parameters, devicePlacement);
    Operation layers = networkBuilder.sequence(architecture.layers());
    return layers.then(networkBuilder.reshapeTo(new long[] {architecture.outputs()}));
  }

  private Operation sequence(List<LayerShape> layers) {
    Operation sequence = (signal, forwardPass) -> signal;
    for (int i = 0; i < layers.size(); i++) {
      sequence = sequence.then(operationFor(layers, i));
    }
    return sequence;
  }

  private Operation operationFor(List<LayerShape> layers, int at) {
    return switch (layers.get(at)) {
      case LayerShape.Dense dense ->
          withExtents(
              LayerOperations.dense(blocks.next(), blocks.next()),
              new long[] {dense.inputs()},
              new long[] {dense.outputs()});
      case LayerShape.Convolution filter -> {
        Tensor weight = blocks.next();
        Optional<Tensor> bias = filter.bias() ? Optional.of(blocks.next()) : Optional.empty();
        yield withExtents(
            LayerOperations.convolution(filter, weight, bias),
            volume(filter.input()),
            volume(filter.output()));
      }
      case LayerShape.MaxPool pool ->
          withExtents(LayerOperations.maxPool(pool), volume(pool.input()), volume(pool.output()));
      case LayerShape.AveragePool(Volume input) ->
          withExtents(LayerOperations.averagePool(), volume(input), new long[] {input.channels()});
      case LayerShape.BatchNorm norm -> batchNorm(norm);
      case LayerShape.Residual residual -> residual(residual);
      case LayerShape.GroupedConvolution filter -> {
        Tensor weight = blocks.next();
        Optional<Tensor> bias = filter.bias() ? Optional.of(blocks.next()) : Optional.empty();
        yield withExtents(
            LayerOperations.convolution(filter, weight, bias),
            volume(filter.input()),
            volume(filter.output()));
      }
      case LayerShape.Concatenation fork -> concatenation(fork);
      case LayerShape.Encoder encoder ->
          withExtents(
              new TextEncoder(encoder, blocks),
              new long[] {encoder.tokens()},
              new long[] {encoder.hidden()});
      case LayerShape.Relu6() -> LayerOperations.relu6();
      case LayerShape.Relu() -> LayerOperations.relu(at > 0 && allowsInPlace(layers.get(at - 1)));
      case LayerShape.Dropout(double share) -> LayerOperations.dropout(share, devicePlacement);
      case LayerShape.CubeRoot() -> LayerOperations.cubeRoot();
    };
  }

  /** Whether a layer's result is new and the backward pass never reads it. */
  private static boolean allowsInPlace(LayerShape layer) {
    return layer instanceof LayerShape.Dense
        || layer instanceof LayerShape.Convolution
        || layer instanceof LayerShape.GroupedConvolution
        || layer instanceof LayerShape.BatchNorm
        || layer instanceof LayerShape.Residual;
  }

  private Operation batchNorm(LayerShape.BatchNorm norm) {
    Operation operation =
        LayerOperations.batchNorm(norm, blocks.next(), blocks.next(), blocks.next(), blocks.next());
    boolean fits = extent[0] == norm.channels();
    long[] wanted = fits ? extent : new long[] {norm.channels(), norm.area()};
    return withExtents(operation, wanted, wanted);
  }

  private Operation residual(LayerShape.Residual residual) {
    long[] entry = extent;
    Operation path = sequence(residual.path());
    long[] exit = extent;
    extent = entry;
    Operation shortcut = sequence(residual.shortcut());
    shortcut = shortcut.then(reshapeTo(exit));
    return LayerOperations.residual(path, shortcut);
  }

  private Operation concatenation(LayerShape.Concatenation fork) {
    long[] entry = extent;
    List<Operation> branches = new ArrayList<>();
    long channels = 0;
    for (List<LayerShape> layers : fork.branches()) {
      extent = entry;
      branches.add(sequence(layers));
      channels += extent[0];
    }
    extent = extent.clone();
    extent[0] = channels;
    return LayerOperations.concatenation(branches);
  }

  private Operation withExtents(Operation operation, long[] from, long[] to) {
    Operation fitted = reshapeTo(from).then(operation);
    extent = to;
    return fitted;
  }

  /** Reshapes the signal if its extent differs. */
  private Operation reshapeTo(long[] wanted) {
    if (Arrays.equals(extent, wanted)) {
      return (signal, forwardPass) -> signal;
    }
    extent = wanted;
    return LayerOperations.reshape(wanted);
  }

  private static long[] volume(Volume volume) {
    return new long[] {volume.channels(), volume.height(), volume.width()};
  }
}
