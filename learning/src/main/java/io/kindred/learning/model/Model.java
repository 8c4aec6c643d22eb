package io.kindred.learning.model;

import io.kindred.learning.data.Dataset;

/** A model by name; a record whose components are its settings. */
public interface Model {
  /** The architecture for a data set. */
  Architecture sizedFor(Dataset dataset);
}
