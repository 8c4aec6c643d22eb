package io.kindred.learning.data;

import io.kindred.core.random.RandomStreams;

/** Where a data set comes from; a record whose components are its settings. */
public interface DataSource {
  /**
   * The same source, streams and files always give the same bytes.
   *
   * @throws MissingDataException when a file does not exist
   * @throws DamagedDataException when a file does not have the expected format
   */
  Dataset load(RandomStreams streams, DataFiles files);
}
