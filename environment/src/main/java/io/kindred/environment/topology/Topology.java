package io.kindred.environment.topology;

import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/** A rule that builds a neighbour graph; a record whose components are its settings. */
public interface Topology {
  /**
   * A connected graph over this many peers.
   *
   * @param files the files that a recorded topology is read from
   * @throws io.kindred.core.config.SettingException when no such graph exists
   */
  Graph connect(int peers, RandomStream random, TextFiles files);

  /** The same for a topology that reads no files. */
  default Graph connect(int peers, RandomStream random) {
    return connect(peers, random, TextFiles.NONE);
  }
}
