package io.kindred.learning.torch;

import org.bytedeco.pytorch.Tensor;

/** Moves tensors to the device where an engine computes. */
record DevicePlacement(TorchDevice device) {
  boolean isRemote() {
    return device != TorchDevice.CPU;
  }

  /** The tensor itself if it is on the device already. */
  Tensor toDevice(Tensor tensor) {
    return switch (device) {
      case CPU -> tensor;
      case CUDA -> tensor.cuda();
    };
  }
}
