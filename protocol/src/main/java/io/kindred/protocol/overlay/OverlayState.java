package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.Epoch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that a peer's overlay remembers. */
public record OverlayState(
    SortedMap<Long, EpochState> epochs,
    LocalSignature localSignature,
    QueryTable queries,
    LocalStatus status) {
  static final OverlayState EMPTY =
      new OverlayState(
          new TreeMap<>(),
          new LocalSignature(
              Optional.empty(), 0, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0),
          QueryTable.empty(0),
          LocalStatus.NEW);

  private static final Epoch NO_EPOCH = Epoch.zero(Digest.of(new byte[0]));

  /**
   * Its signature, and its threshold with what the last search let through.
   *
   * @param requestedBy the zone that waits for the signature
   * @param placementSignature the one that its place was found with
   */
  record LocalSignature(
      Optional<Signature> signature,
      int minimumEntries,
      Optional<ZoneId> requestedBy,
      Optional<Signature> placementSignature,
      Optional<Threshold> threshold,
      long passed,
      long scored) {
    /** The signature was given away. */
    LocalSignature markPlaced() {
      return new LocalSignature(
          signature, minimumEntries, Optional.empty(), signature, threshold, passed, scored);
    }

    LocalSignature withRequester(ZoneId zone) {
      return new LocalSignature(
          signature,
          minimumEntries,
          Optional.of(zone),
          placementSignature,
          threshold,
          passed,
          scored);
    }
  }

  /**
   * Queries that it asked or helps to answer; {@code waiting} are those that came before it knew
   * where they go, {@code seen} the last that it compared for or passed on, {@code led} the last
   * that it led to their end.
   */
  record QueryTable(
      SortedMap<QueryId, PendingQuery> pending,
      SortedMap<QueryId, RootSearch> rootSearches,
      SortedMap<SubtreeSearch.Key, SubtreeSearch> subtreeSearches,
      List<SearchMessage.QueryAscent> deferred,
      List<SubtreeSearch.ProcessedQuery> processed,
      List<QueryId> finished,
      long nextTimer) {
    /** How many of the last queries a super-peer knows again, on a level. */
    private static final int MAX_REMEMBERED = 256;

    static QueryTable empty(long nextAlarm) {
      return new QueryTable(
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          List.of(),
          List.of(),
          List.of(),
          nextAlarm);
    }

    QueryTable withPending(SortedMap<QueryId, PendingQuery> next) {
      return new QueryTable(
          next, rootSearches, subtreeSearches, deferred, processed, finished, nextTimer);
    }

    QueryTable withRootSearches(SortedMap<QueryId, RootSearch> next) {
      return new QueryTable(
          pending, next, subtreeSearches, deferred, processed, finished, nextTimer);
    }

    /** A query is at its end. */
    QueryTable withFinished(QueryId id) {
      List<QueryId> more = Copies.takeLast(MAX_REMEMBERED, Copies.with(finished, id));
      return new QueryTable(
          pending,
          Copies.without(rootSearches, id),
          subtreeSearches,
          deferred,
          processed,
          more,
          nextTimer);
    }

    /** Whether it leads a query, or did. */
    boolean isKnown(QueryId id) {
      return rootSearches.containsKey(id) || finished.contains(id);
    }

    QueryTable withSubtreeSearches(SortedMap<SubtreeSearch.Key, SubtreeSearch> next) {
      return new QueryTable(pending, rootSearches, next, deferred, processed, finished, nextTimer);
    }

    QueryTable withDeferred(List<SearchMessage.QueryAscent> next) {
      return new QueryTable(
          pending, rootSearches, subtreeSearches, next, processed, finished, nextTimer);
    }

    /**
     * A query was taken on. Levels are counted apart: what is passed on crowds out nothing else.
     */
    QueryTable withProcessed(SubtreeSearch.ProcessedQuery now) {
      List<SubtreeSearch.ProcessedQuery> more = new ArrayList<>();
      List<SubtreeSearch.ProcessedQuery> here = new ArrayList<>();
      for (SubtreeSearch.ProcessedQuery each : processed) {
        if (!each.matches(now.key(), now.from())) {
          (each.key().cluster().level() == now.key().cluster().level() ? here : more).add(each);
        }
      }
      more.addAll(Copies.takeLast(MAX_REMEMBERED, Copies.with(here, now)));
      return new QueryTable(
          pending, rootSearches, subtreeSearches, deferred, List.copyOf(more), finished, nextTimer);
    }

    QueryTable withNextTimer(long next) {
      return new QueryTable(
          pending, rootSearches, subtreeSearches, deferred, processed, finished, next);
    }
  }

  /**
   * A query of its own.
   *
   * @param sent whether it went out; without a place in the overlay there is nobody to send it to
   */
  record PendingQuery(
      SearchMessage.QuerySpec spec, Optional<Double> threshold, boolean sent, long startedAt) {}

  /**
   * How it stands to the network.
   *
   * @param neighbours whom it can speak to without knowing anything else
   * @param heartbeats signs of life that it has given
   * @param joiningSince since when it looks for a place in an overlay that others have built;
   *     negative where it does not
   * @param fullZones zones that had no room for it
   * @param splitSuspicion whether there may be another hierarchy than its own
   * @param leaving whether it was asked to go
   */
  record LocalStatus(
      List<PeerId> neighbours,
      long heartbeats,
      long joiningSince,
      List<ZoneId> fullZones,
      Optional<SplitSuspicion> splitSuspicion,
      boolean leaving) {
    /** That what it takes for the top is not what others do: since when, and when last. */
    record SplitSuspicion(RootId ownRoot, long since, long lastSeen) {}

    static final LocalStatus NEW =
        new LocalStatus(List.of(), 0, -1, List.of(), Optional.empty(), false);

    LocalStatus with(List<PeerId> others) {
      return new LocalStatus(others, heartbeats, joiningSince, fullZones, splitSuspicion, leaving);
    }

    LocalStatus nextHeartbeat() {
      return new LocalStatus(
          neighbours, heartbeats + 1, joiningSince, fullZones, splitSuspicion, leaving);
    }

    LocalStatus withJoining(long since, List<ZoneId> refused) {
      return new LocalStatus(neighbours, heartbeats, since, refused, splitSuspicion, leaving);
    }

    LocalStatus withSuspicion(Optional<SplitSuspicion> other) {
      return new LocalStatus(neighbours, heartbeats, joiningSince, fullZones, other, leaving);
    }

    LocalStatus asLeaving() {
      return new LocalStatus(neighbours, heartbeats, joiningSince, fullZones, splitSuspicion, true);
    }
  }

  /** The newest overlay that is built, or the newest of all. */
  public Optional<EpochState> currentEpoch() {
    Optional<EpochState> newest = Optional.empty();
    for (EpochState each : epochs.values()) {
      if (newest.isEmpty() || each.isReady() || !newest.get().isReady()) {
        newest = Optional.of(each);
      }
    }
    return newest;
  }

  /** Where the peer stands in it. */
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

  /** When the oldest of its own queries was asked that has no answer yet. */
  public Optional<Long> oldestPendingQuery() {
    return queries.pending().values().stream()
        .map(PendingQuery::startedAt)
        .min(Comparator.naturalOrder());
  }

  /** Zones that are built and that this peer leads, with who is in them. */
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

  /** The zones that this peer leads, one a level at most, with who is in them. */
  public SortedMap<ZoneId, List<PeerId>> ledZones() {
    SortedMap<ZoneId, List<PeerId>> led = new TreeMap<>();
    currentEpoch()
        .ifPresent(
            epoch -> {
              epoch.formation().formingZones().values().stream()
                  .filter(formation -> !formation.built() && !epoch.isReady())
                  .forEach(lead -> led.put(lead.id(), List.copyOf(lead.members().keySet())));
            });
    led.putAll(builtZones());
    return led;
  }
}
