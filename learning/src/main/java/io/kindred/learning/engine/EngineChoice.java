package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;

/** An engine by name; a record whose components are its settings. */
public interface EngineChoice {
  /** A new instance for one worker. */
  Engine create(Architecture architecture);

  /** Engine, version and what else decides the bits it computes; recorded with every run. */
  String description();
}
