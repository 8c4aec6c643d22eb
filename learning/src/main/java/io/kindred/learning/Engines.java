package io.kindred.learning;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.torch.Torch;
import java.util.List;

/**
 * Every engine that an experiment file can name. It stands above their packages, because each of
 * them sees the contract in {@code engine} and none sees another.
 */
public final class Engines {
  public static final Catalogue<EngineChoice> ALL =
      new Catalogue<>(EngineChoice.class, "engine", List.of(Jvm.class, Torch.class));

  private Engines() {}
}
