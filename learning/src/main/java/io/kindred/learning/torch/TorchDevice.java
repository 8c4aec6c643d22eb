package io.kindred.learning.torch;

/** The device that holds an engine's tensors. */
public enum TorchDevice {
  CPU,
  /** Results on a GPU are not guaranteed to the last bit. */
  CUDA
}
