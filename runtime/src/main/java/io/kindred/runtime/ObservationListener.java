package io.kindred.runtime;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;

/** Receives the observations of peers, in the order of events, always on the same thread. */
public interface ObservationListener {
  void observed(Observed observed);

  /**
   * An observation of a peer, with its traffic until then. A server's observation about everyone is
   * reported once for each peer.
   *
   * @param modelsReceived weight vectors received so far
   */
  record Observed(
      long tick,
      PeerId peer,
      Observation observation,
      long sentBytes,
      long receivedBytes,
      long modelsReceived) {}
}
