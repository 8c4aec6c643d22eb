package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;

/** A rule that hands samples out to peers; a record whose components are its settings. */
public interface Partition {
  /**
   * Hands the samples out. No row is handed out twice; it always ends; the same stream gives the
   * same division.
   *
   * @throws io.kindred.core.config.SettingException when the request cannot be met, with the key
   *     and the remedy
   */
  PartitionResult divide(SamplePool pool, int peers, RandomStream random);
}
