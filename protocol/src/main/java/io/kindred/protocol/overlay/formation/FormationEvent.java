package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.ZoneRef;
import java.util.List;

/** What elections, members and initiators of zones tell each other within a peer. */
sealed interface FormationEvent {
  /** This peer starts a zone. */
  record InitiatorElected(int level) implements FormationEvent {}

  /** This peer has started a zone, which other peers may join now. */
  record ZoneStarted(ZoneRef zone) implements FormationEvent {}

  /** The initiator of another zone was discovered after the level had started. */
  record InitiatorDiscovered(int level, PeerId peer) implements FormationEvent {}

  /** Another peer waits for this peer's zone. */
  record ZoneAwaited(int level, PeerId peer) implements FormationEvent {}

  /** Another zone exists on a level, so this peer's zone is not the root. */
  record OtherZoneFound(int level) implements FormationEvent {}

  /** A message is for a level that this peer no longer takes part in. */
  record MessageEarly(PeerId from, FormationMessage message) implements FormationEvent {}

  /** This peer needs admission to one of these zones. */
  record AdmissionSought(int level, List<ZoneRef> zones) implements FormationEvent {}

  /** This peer belongs to another zone after a split. */
  record ZoneReassigned(LevelState level, ZoneRef zone) implements FormationEvent {}

  /** The zones around this peer have changed. */
  record NeighboursChanged(int level) implements FormationEvent {}

  /** No zone admits the single member of this peer's zone. */
  record MergeRefused(int level) implements FormationEvent {}

  /** This peer's zone is part of another zone now. */
  record MergedInto(int level, ZoneRef zone) implements FormationEvent {}
}
