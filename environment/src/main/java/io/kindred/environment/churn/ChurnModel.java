package io.kindred.environment.churn;

import io.kindred.core.config.TextFiles;
import io.kindred.environment.fault.FaultSource;

/** How peers come and go; a record whose components are its settings. */
public interface ChurnModel extends FaultSource {
  /** The same with whatever it has to read from files; refused where they say nonsense. */
  default ChurnModel read(int peers, TextFiles files) {
    return this;
  }
}
