package io.kindred.learning.data;

import io.kindred.core.random.RandomStreams;

/** Where a data set comes from; a record whose components are its settings. */
public interface DataSource {
  /** The same source and streams always give the same bytes. */
  Dataset load(RandomStreams streams);
}
