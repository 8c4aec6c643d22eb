package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;
import java.util.Map;
import java.util.function.Consumer;

/** An engine by name; a record whose components are its settings. */
public interface EngineChoice {
  /**
   * Checks that the engine works on this machine, before a run writes anything; an engine that does
   * not work throws a {@link io.kindred.core.config.SettingException}. Harmful values of
   * environment variables are reported as warnings.
   */
  default void prepare(Map<String, String> environment, Consumer<String> warn) {}

  /**
   * The engine for a model on this machine: this one, unless the choice is left to the program.
   * Throws a {@link io.kindred.core.config.SettingException} if no engine here computes the model.
   */
  default EngineSelection select(Architecture architecture) {
    return EngineSelection.named(this);
  }

  /** A new instance for one worker. */
  Engine create(Architecture architecture);

  /**
   * Does a little work and discards the result, so that slow first-time costs (compiling kernels,
   * loading natives) occur while data are being loaded. Results never depend on it.
   */
  void warmUp();

  /** Engine, version and all else that decides the bits it computes; recorded with every run. */
  String description();
}
