package io.kindred.learning.torch;

import io.kindred.core.weights.Layout;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The weights of one model in one native segment, with a tensor over each of its blocks. The
 * caller's flat array is copied in as a whole; gradients and running statistics are copied out.
 */
final class Parameters {
  private final Layout layout;
  private final DevicePlacement devicePlacement;
  private final NativeFloats values;
  private final Tensor hostTensor;
  private final Tensor deviceTensor;
  private final List<Tensor> blocks = new ArrayList<>();
  private final TensorVector trainedTensors = new TensorVector();

  Parameters(Layout layout, DevicePlacement devicePlacement) {
    this.layout = layout;
    this.devicePlacement = devicePlacement;
    this.values = new NativeFloats(layout.size());
    this.hostTensor = values.tensor(0, layout.size(), layout.size());
    this.deviceTensor = devicePlacement.toDevice(hostTensor);
    for (Layout.Block block : layout.blocks()) {
      long[] shape = block.shape().stream().mapToLong(Integer::longValue).toArray();
      // Detached: an in-place update of a running statistic must not count as a change of the
      // neighbouring weights, whose values the backward pass still needs.
      Tensor tensor = deviceTensor.narrow(0, block.offset(), block.size()).view(shape).data();
      if (block.trained()) {
        tensor.set_requires_grad(true);
        trainedTensors.push_back(tensor);
      }
      blocks.add(tensor);
    }
  }

  /** The tensors of the blocks, in the order of the layout. */
  List<Tensor> blocks() {
    return blocks;
  }

  void write(float[] weights) {
    if (weights.length != layout.size()) {
      throw new IllegalArgumentException(
          "the model has " + layout.size() + " weights, got " + weights.length);
    }
    values.write(weights, weights.length);
    if (devicePlacement.isRemote()) {
      try (NoGradGuard _ = new NoGradGuard()) {
        deviceTensor.copy_(hostTensor);
      }
    }
  }

  /** Computes the gradient of every trained block by backpropagation from the scores. */
  void gradients(Tensor scores, Tensor delta, float[] into) {
    TensorVector blockGradients =
        torch.grad(
            new TensorVector(scores),
            trainedTensors,
            new TensorVector(delta),
            new BoolOptional(),
            false,
            false);
    int next = 0;
    for (Layout.Block block : layout.blocks()) {
      if (block.trained()) {
        copyToArray(blockGradients.get(next++), block.size(), into, block.offset());
      }
    }
  }

  /** Copies the state without a gradient back into the caller's weights. */
  void readRunningStatistics(float[] into) {
    for (int i = 0; i < blocks.size(); i++) {
      Layout.Block block = layout.blocks().get(i);
      if (!block.trained()) {
        copyToArray(blocks.get(i), block.size(), into, block.offset());
      }
    }
  }

  /** Copies a tensor from any device. */
  static void copyToArray(Tensor from, int count, float[] into, int at) {
    FloatPointer data = from.cpu().contiguous().data_ptr_float();
    data.capacity(count).asBuffer().get(into, at, count);
  }
}
