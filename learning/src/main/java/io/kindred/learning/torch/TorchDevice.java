package io.kindred.learning.torch;

/** The device that holds an engine's tensors. */
public enum TorchDevice {
  CPU,
  /** Results on a GPU are not promised to the last bit. */
  CUDA
}
