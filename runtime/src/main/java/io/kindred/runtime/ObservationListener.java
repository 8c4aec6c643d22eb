package io.kindred.runtime;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;

/** Receives what peers let know, in the order of events, on the thread that steps them. */
public interface ObservationListener {
  void observed(Observed observed);

  /**
   * Something a peer let know, with what it had sent and received by then. What a server says of
   * everyone is told once for each peer.
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
