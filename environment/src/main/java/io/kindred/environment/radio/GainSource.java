package io.kindred.environment.radio;

import io.kindred.core.config.TextFiles;
import java.util.OptionalDouble;

/**
 * Where the share of the sent power that arrives comes from, before fading; a record whose
 * components are its settings.
 */
public interface GainSource {
  /** The same source with its files read; invalid contents are refused. */
  default GainSource read(int peers, TextFiles files) {
    return this;
  }

  /** The gain from one peer to another at a time; empty where the path loss decides. */
  OptionalDouble gain(double seconds, int from, int to);

  /** Whether gains of the source depend on the time. */
  boolean varyOverTime();
}
