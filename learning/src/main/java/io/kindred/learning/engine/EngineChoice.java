package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;
import java.util.Map;
import java.util.function.Consumer;

/** An engine by name; a record whose components are its settings. */
public interface EngineChoice {
  /**
   * Makes sure that the engine can work on this machine, before a run leaves anything behind; an
   * engine that cannot throws a {@link io.kindred.core.config.SettingException}. Values of the
   * environment that would harm it are named as warnings.
   */
  default void prepare(Map<String, String> environment, Consumer<String> warn) {}

  /** A new instance for one worker. */
  Engine create(Architecture architecture);

  /**
   * Does a little work of no consequence, so that whatever is slow the first time (compiling
   * kernels, loading natives) happens while data are being loaded. Results never depend on it.
   */
  void warmUp();

  /** Engine, version and what else decides the bits it computes; recorded with every run. */
  String description();
}
