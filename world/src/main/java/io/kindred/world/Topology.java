package io.kindred.world;

import io.kindred.core.random.RandomStream;

/** A rule that says who is whose neighbour; a record whose components are its settings. */
public interface Topology {
  /**
   * A connected graph over this many peers.
   *
   * @throws io.kindred.core.settings.Complaint when no such graph exists
   */
  Graph connect(int peers, RandomStream random);
}
