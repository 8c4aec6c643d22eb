package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;

/** An engine by name; a record whose components are its settings. */
public interface EngineChoice {
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
