package io.kindred.protocol.overlay.machine;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.clustering.LocalSignature;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.overlay.membership.LocalStatus;
import io.kindred.protocol.overlay.search.PendingQuery;
import io.kindred.protocol.overlay.search.SearchState;
import io.kindred.protocol.vrf.Epoch;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The state of a peer's overlay: of each epoch, and what is the same in all epochs. */
public record OverlayState(
    SortedMap<Long, EpochState> epochs,
    LocalSignature localSignature,
    LocalStatus status,
    SearchState search) {
  static final OverlayState EMPTY =
      new OverlayState(new TreeMap<>(), LocalSignature.NONE, LocalStatus.NEW, SearchState.EMPTY);

  private static final Epoch NO_EPOCH = Epoch.zero(Digest.of(new byte[0]));

  /** The newest epoch whose overlay is ready, or else the newest epoch. */
  public Optional<EpochState> currentEpoch() {
    Optional<EpochState> newest = Optional.empty();
    for (EpochState each : epochs.values()) {
      if (newest.isEmpty() || each.isReady() || !newest.get().isReady()) {
        newest = Optional.of(each);
      }
    }
    return newest;
  }

  /** The peer's position in the hierarchy of the current epoch. */
  public EpochState.HierarchyPosition position() {
    return currentEpoch()
        .map(EpochState::position)
        .orElseGet(() -> EpochState.empty(NO_EPOCH, 0).position());
  }

  /** The zone that this peer is in, on a level. */
  public Optional<ZoneId> zone(int level) {
    return currentEpoch()
        .flatMap(
            epoch -> {
              ZoneLease lease = epoch.membership().leases().get(level);
              LevelState levelState = epoch.formation().levels().get(level);
              return lease != null
                  ? Optional.of(lease.zone())
                  : levelState == null
                      ? Optional.empty()
                      : levelState.assignment().zone().map(ZoneRef::zone);
            });
  }

  /** When the oldest of this peer's unanswered queries was started. */
  public Optional<Long> oldestPendingQuery() {
    return search.queries().pending().values().stream()
        .map(PendingQuery::startedAt)
        .min(Comparator.naturalOrder());
  }

  /** The built zones that this peer leads, with their members. */
  public SortedMap<ZoneId, List<PeerId>> builtZones() {
    SortedMap<ZoneId, List<PeerId>> built = new TreeMap<>();
    currentEpoch()
        .ifPresent(
            epoch ->
                epoch
                    .membership()
                    .ledZones()
                    .values()
                    .forEach(zone -> built.put(zone.zone(), List.copyOf(zone.members().keySet()))));
    return built;
  }

  /**
   * The zones that this peer leads, built or forming, at most one per level, with their members.
   */
  public SortedMap<ZoneId, List<PeerId>> ledZones() {
    SortedMap<ZoneId, List<PeerId>> led = new TreeMap<>();
    currentEpoch()
        .ifPresent(
            epoch -> {
              epoch.formation().formingZones().values().stream()
                  .filter(formation -> !formation.built() && !epoch.isReady())
                  .forEach(zone -> led.put(zone.id(), List.copyOf(zone.members().keySet())));
            });
    led.putAll(builtZones());
    return led;
  }
}
