package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;

/** A rule that assigns samples to peers; a record whose components are its settings. */
public interface Partition {
  /**
   * Assigns the samples to peers. No row is assigned twice; the method always ends; the same stream
   * gives the same result.
   *
   * @throws io.kindred.core.config.SettingException when the request cannot be met, with the key
   *     and the remedy
   */
  PartitionResult divide(SamplePool pool, int peers, RandomStream random);
}
