package io.kindred.learning.engine;

import java.util.Optional;

/**
 * The engine that computes a model.
 *
 * @param reason why it was taken; empty if the operator named it
 */
public record EngineSelection(EngineChoice engine, Optional<String> reason) {
  /** An engine that the operator named. */
  static EngineSelection named(EngineChoice engine) {
    return new EngineSelection(engine, Optional.empty());
  }

  public static EngineSelection because(EngineChoice engine, String reason) {
    return new EngineSelection(engine, Optional.of(reason));
  }
}
