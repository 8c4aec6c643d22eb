package io.kindred.environment.churn;

import io.kindred.core.config.TextFiles;
import io.kindred.environment.fault.FaultSource;

/** A model of how peers leave and return; a record whose components are its settings. */
public interface ChurnModel extends FaultSource {
  /** The same model with its files read; invalid contents are refused. */
  default ChurnModel read(int peers, TextFiles files) {
    return this;
  }
}
