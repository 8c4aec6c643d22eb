package io.kindred.learning.torch;

import org.bytedeco.pytorch.Tensor;

/** One native step of a network. */
@FunctionalInterface
interface Operation {
  Tensor apply(Tensor signal, Pass pass);

  default Operation then(Operation next) {
    return (signal, pass) -> next.apply(apply(signal, pass), pass);
  }
}
