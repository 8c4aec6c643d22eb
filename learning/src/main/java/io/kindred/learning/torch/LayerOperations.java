package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.LayerShape;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Each kind of layer as a native operation on the tensors of its weights. */
final class LayerOperations {
  private LayerOperations() {}

  /** Reshapes each sample to this extent. */
  static Operation reshape(long... extent) {
    return (signal, forwardPass) -> {
      long[] shape = new long[extent.length + 1];
      shape[0] = forwardPass.samples();
      System.arraycopy(extent, 0, shape, 1, extent.length);
      return signal.reshape(shape);
    };
  }

  static Operation dense(Tensor weight, Tensor bias) {
    TensorOptional shift = new TensorOptional(bias);
    return (signal, forwardPass) -> torch.linear(signal, weight, shift);
  }

  /** In place only if no other operation needs the original signal. */
  static Operation relu(boolean inPlace) {
    return inPlace ? (signal, forwardPass) -> signal.relu_() : (signal, pass) -> signal.relu();
  }

  static Operation convolution(
      LayerShape.Convolution filter, Tensor weight, Optional<Tensor> bias) {
    TensorOptional shift = bias.map(TensorOptional::new).orElseGet(TensorOptional::new);
    return convolution(weight, shift, square(filter.stride()), square(filter.padding()), 1);
  }

  static Operation convolution(
      LayerShape.GroupedConvolution filter, Tensor weight, Optional<Tensor> bias) {
    TensorOptional shift = bias.map(TensorOptional::new).orElseGet(TensorOptional::new);
    return convolution(
        weight, shift, pair(filter.stride()), pair(filter.padding()), filter.groups());
  }

  private static Operation convolution(
      Tensor weight, TensorOptional shift, long[] stride, long[] padding, int groups) {
    long[] dilation = square(1);
    return (signal, forwardPass) ->
        torch.conv2d(signal, weight, shift, stride, padding, dilation, groups);
  }

  static Operation maxPool(LayerShape.MaxPool pool) {
    long[] window = square(pool.window());
    long[] stride = square(pool.stride());
    long[] padding = square(pool.padding());
    long[] dilation = square(1);
    return (signal, forwardPass) ->
        torch.max_pool2d(signal, window, stride, padding, dilation, false);
  }

  /** The mean over rows and columns; samples and channels remain. */
  static Operation averagePool() {
    return (signal, forwardPass) -> torch.mean(signal, 2, 3);
  }

  /**
   * Running statistics are updated in place. A single value per channel has no variance: such a
   * batch (the odd sample at the end of an epoch) leaves them unchanged.
   */
  static Operation batchNorm(
      LayerShape.BatchNorm norm, Tensor weight, Tensor bias, Tensor mean, Tensor variance) {
    TensorOptional scale = new TensorOptional(weight);
    TensorOptional shift = new TensorOptional(bias);
    TensorOptional runningMean = new TensorOptional(mean);
    TensorOptional runningVariance = new TensorOptional(variance);
    TensorOptional none = new TensorOptional();
    return (signal, forwardPass) -> {
      boolean isSingle = forwardPass.isTraining() && forwardPass.samples() * norm.area() == 1;
      return torch.batch_norm(
          signal,
          scale,
          shift,
          isSingle ? none : runningMean,
          isSingle ? none : runningVariance,
          forwardPass.isTraining(),
          LayerShape.BatchNorm.MOMENTUM,
          LayerShape.BatchNorm.EPSILON,
          true);
    };
  }

  /**
   * The mask is drawn here and not by the library, whose generator does not follow the run's seed.
   */
  static Operation dropout(double share, DevicePlacement devicePlacement) {
    float kept = share < 1 ? (float) (1 / (1 - share)) : 0;
    return (signal, forwardPass) -> {
      if (!forwardPass.isTraining()) {
        return signal;
      }
      RandomStream noise = forwardPass.noise().orElseThrow();
      float[] mask = new float[Math.toIntExact(signal.numel())];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = noise.nextDouble() < share ? 0 : kept;
      }
      return signal.mul(devicePlacement.toDevice(Tensor.create(mask, signal.shape())));
    };
  }

  static Operation relu6() {
    return (signal, forwardPass) -> torch.relu6(signal);
  }

  /** Concatenates along channels. */
  static Operation concatenation(List<Operation> branches) {
    return (signal, forwardPass) -> {
      TensorVector results = new TensorVector();
      branches.forEach(branch -> results.push_back(branch.apply(signal, forwardPass)));
      return torch.cat(results, 1);
    };
  }

  static Operation residual(Operation path, Operation shortcut) {
    return (signal, forwardPass) ->
        path.apply(signal, forwardPass).add(shortcut.apply(signal, forwardPass));
  }

  /** The derivative at zero is infinite; it is zero here, so that a step stays finite. */
  static Operation cubeRoot() {
    Scalar third = new Scalar(1f / 3);
    Scalar smallest = new Scalar(Float.MIN_NORMAL);
    return (signal, forwardPass) -> signal.sign().mul(signal.abs().clamp_min(smallest).pow(third));
  }

  private static long[] pair(LayerShape.GroupedConvolution.Extent extent) {
    return new long[] {extent.height(), extent.width()};
  }

  private static long[] square(int side) {
    return new long[] {side, side};
  }
}
