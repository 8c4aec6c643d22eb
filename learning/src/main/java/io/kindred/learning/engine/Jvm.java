package io.kindred.learning.engine;

import io.kindred.core.settings.Named;
import io.kindred.learning.model.Architecture;

/** Our own kernels on the Vector API: nothing native to load, fastest on tiny models. */
@Named(value = "jvm", summary = "own kernels on the Vector API; nothing native to download")
public record Jvm() implements EngineChoice {
  @Override
  public Engine create(Architecture architecture) {
    return new JvmEngine(architecture);
  }

  @Override
  public String description() {
    return "jvm, Vector API of " + DenseKernels.SPECIES.vectorBitSize() + " bits";
  }
}
