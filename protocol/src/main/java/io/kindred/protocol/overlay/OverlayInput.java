package io.kindred.protocol.overlay;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterSignatures;

/** What a sub-protocol handles in a step. */
public sealed interface OverlayInput permits OverlayEvent, OverlayInput.FromOutside {
  /** What reaches the peer from outside of its overlay. */
  sealed interface FromOutside extends OverlayInput {}

  /** A message has arrived, from another peer or from this one. */
  record MessageReceived(PeerId from, Message message) implements FromOutside {}

  /** A message could not be delivered. */
  record MessageUndelivered(PeerId to, Message message) implements FromOutside {}

  record TimerDue(OverlayTimer timer) implements FromOutside {}

  /**
   * A clustering is computed.
   *
   * @param level level of the zone; zero where a built zone was clustered again
   */
  record ClusteringComputed(int level, ClusterSignatures.Clustered clustered)
      implements FromOutside {}

  /** The method asks for something. */
  record MethodRequest(OverlayLocalMessage request) implements FromOutside {}

  /** The peer was asked to leave. */
  record LeaveDue() implements FromOutside {}
}
