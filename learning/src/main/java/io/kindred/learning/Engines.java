package io.kindred.learning;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.torch.Torch;
import java.util.List;

/**
 * Every engine that an experiment file can name. The catalogue lies above the engine packages,
 * because each engine sees the contract in {@code engine} and no engine sees another.
 */
public final class Engines {
  public static final Catalogue<EngineChoice> ALL =
      new Catalogue<>(EngineChoice.class, "engine", List.of(Jvm.class, Torch.class, Auto.class));

  private Engines() {}
}
