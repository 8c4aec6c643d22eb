package io.kindred.learning.torch;

import org.bytedeco.pytorch.Tensor;

/** Brings tensors to where an engine computes. */
record DevicePlacement(TorchDevice device) {
  boolean isRemote() {
    return device != TorchDevice.CPU;
  }

  /** The tensor itself where it is in place already. */
  Tensor toDevice(Tensor tensor) {
    return switch (device) {
      case CPU -> tensor;
      case CUDA -> tensor.cuda();
    };
  }
}
