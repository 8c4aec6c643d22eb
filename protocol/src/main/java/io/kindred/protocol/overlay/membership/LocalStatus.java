package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.RootId;
import java.util.List;
import java.util.Optional;

/**
 * The peer's neighbours, and its progress in joining and leaving; the same in all epochs.
 *
 * @param neighbours peers that it can send to without an overlay
 * @param heartbeats number of heartbeats so far
 * @param joiningSince when the peer began to look for a place; negative where it does not
 * @param fullZones zones that had no room for the peer
 * @param splitSuspicion whether another hierarchy than the peer's own may exist
 * @param leaving whether the peer was asked to leave
 */
@Buildable
public record LocalStatus(
    List<PeerId> neighbours,
    long heartbeats,
    long joiningSince,
    List<ZoneId> fullZones,
    Optional<SplitSuspicion> splitSuspicion,
    boolean leaving) {
  /** Neighbours report another root than the peer's own: since when, and when last. */
  public record SplitSuspicion(RootId ownRoot, long since, long lastSeen) {}

  public static final LocalStatus NEW =
      new LocalStatus(List.of(), 0, -1, List.of(), Optional.empty(), false);

  /** The status with these neighbours. */
  public LocalStatus with(List<PeerId> others) {
    return LocalStatusBuilder.from(this).neighbours(others).build();
  }

  LocalStatus nextHeartbeat() {
    return LocalStatusBuilder.from(this).heartbeats(heartbeats + 1).build();
  }

  LocalStatus withJoining(long since, List<ZoneId> refused) {
    return LocalStatusBuilder.from(this).joiningSince(since).fullZones(refused).build();
  }

  LocalStatus withSuspicion(Optional<SplitSuspicion> other) {
    return LocalStatusBuilder.from(this).splitSuspicion(other).build();
  }

  LocalStatus asLeaving() {
    return LocalStatusBuilder.from(this).leaving(true).build();
  }
}
