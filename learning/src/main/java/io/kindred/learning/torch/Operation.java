package io.kindred.learning.torch;

import org.bytedeco.pytorch.Tensor;

/** One native operation of a network. */
@FunctionalInterface
interface Operation {
  Tensor apply(Tensor signal, ForwardPass forwardPass);

  default Operation then(Operation next) {
    return (signal, forwardPass) -> next.apply(apply(signal, forwardPass), forwardPass);
  }
}
