package io.kindred.learning.engine;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** Every engine that an experiment file can name. */
public final class Engines {
  public static final Catalogue<EngineChoice> ALL =
      new Catalogue<>(EngineChoice.class, "engine", List.of(Jvm.class));

  private Engines() {}
}
