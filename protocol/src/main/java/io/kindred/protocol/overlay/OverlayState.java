package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
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

/** The state of a peer's overlay. */
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
   * The peer's own signature and search threshold.
   *
   * @param requestedBy the zone that waits for the signature
   * @param placementSignature the signature that the peer was placed in its cluster with
   * @param passed comparisons that reached the threshold since the last new signature
   * @param scored comparisons since the last new signature
   */
  @Buildable
  record LocalSignature(
      Optional<Signature> signature,
      int minimumEntries,
      Optional<ZoneId> requestedBy,
      Optional<Signature> placementSignature,
      Optional<Threshold> threshold,
      long passed,
      long scored) {
    /** The peer is placed with the signature that it now sends to a zone. */
    LocalSignature markPlaced() {
      return LocalSignatureBuilder.from(this)
          .requestedBy(Optional.empty())
          .placementSignature(signature)
          .build();
    }

    LocalSignature withRequester(ZoneId zone) {
      return LocalSignatureBuilder.from(this).requestedBy(Optional.of(zone)).build();
    }
  }

  /**
   * Queries that this peer started or helps to answer. {@code deferred} queries wait for a parent
   * pointer, {@code processed} are the last ones that it compared or forwarded, {@code compared}
   * the answered comparisons of its lowest clusters, {@code finished} the last ones whose root
   * search ended here.
   */
  @Buildable
  record QueryTable(
      SortedMap<QueryId, PendingQuery> pending,
      SortedMap<QueryId, RootSearch> rootSearches,
      SortedMap<SubtreeSearch.Key, SubtreeSearch> subtreeSearches,
      List<SearchMessage.QueryAscent> deferred,
      List<SubtreeSearch.ProcessedQuery> processed,
      List<SubtreeSearch.Comparisons> compared,
      List<QueryId> finished,
      long nextTimer) {
    /** How many recent queries a super-peer recognises as duplicates, per level. */
    private static final int MAX_REMEMBERED = 256;

    static QueryTable empty(long nextTimer) {
      return new QueryTable(
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          nextTimer);
    }

    QueryTable withPending(SortedMap<QueryId, PendingQuery> next) {
      return QueryTableBuilder.from(this).pending(next).build();
    }

    QueryTable withRootSearches(SortedMap<QueryId, RootSearch> next) {
      return QueryTableBuilder.from(this).rootSearches(next).build();
    }

    /** The root search of a query has finished. */
    QueryTable withFinished(QueryId id) {
      List<QueryId> more = Copies.takeLast(MAX_REMEMBERED, Copies.with(finished, id));
      return QueryTableBuilder.from(this)
          .rootSearches(Copies.without(rootSearches, id))
          .finished(more)
          .build();
    }

    /** Whether this peer runs the root search of a query, or has finished it. */
    boolean isKnown(QueryId id) {
      return rootSearches.containsKey(id) || finished.contains(id);
    }

    QueryTable withSubtreeSearches(SortedMap<SubtreeSearch.Key, SubtreeSearch> next) {
      return QueryTableBuilder.from(this).subtreeSearches(next).build();
    }

    QueryTable withDeferred(List<SearchMessage.QueryAscent> next) {
      return QueryTableBuilder.from(this).deferred(next).build();
    }

    /**
     * This peer has accepted a query. Each level has its own limit, so that forwarded queries do
     * not displace compared ones.
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
      return QueryTableBuilder.from(this).processed(List.copyOf(more)).build();
    }

    Optional<SubtreeSearch.Comparisons> comparisons(SubtreeSearch.Key key) {
      return compared.stream().filter(each -> each.key().equals(key)).findFirst();
    }

    /** Keeps the comparisons of an answered query, in place of earlier ones. */
    QueryTable withCompared(SubtreeSearch.Comparisons now) {
      List<SubtreeSearch.Comparisons> others =
          compared.stream().filter(each -> !each.key().equals(now.key())).toList();
      return QueryTableBuilder.from(this)
          .compared(Copies.takeLast(MAX_REMEMBERED, Copies.with(others, now)))
          .build();
    }

    QueryTable withNextTimer(long next) {
      return QueryTableBuilder.from(this).nextTimer(next).build();
    }
  }

  /**
   * A query that this peer started.
   *
   * @param sent whether the query was sent; it waits while the peer has no home cluster
   */
  @Buildable
  record PendingQuery(
      SearchMessage.QuerySpec spec, Optional<Double> threshold, boolean sent, long startedAt) {}

  /**
   * The peer's neighbours, and its progress in joining and leaving.
   *
   * @param neighbours peers that it can send to without an overlay
   * @param heartbeats number of heartbeats so far
   * @param joiningSince since when the peer looks for a zone in an overlay that others have built;
   *     negative where it does not
   * @param fullZones zones that had no room for the peer
   * @param splitSuspicion whether another hierarchy than the peer's own may exist
   * @param leaving whether the peer was asked to leave
   */
  @Buildable
  record LocalStatus(
      List<PeerId> neighbours,
      long heartbeats,
      long joiningSince,
      List<ZoneId> fullZones,
      Optional<SplitSuspicion> splitSuspicion,
      boolean leaving) {
    /** Neighbours report another root than the peer's own: since when, and when last. */
    record SplitSuspicion(RootId ownRoot, long since, long lastSeen) {}

    static final LocalStatus NEW =
        new LocalStatus(List.of(), 0, -1, List.of(), Optional.empty(), false);

    LocalStatus with(List<PeerId> others) {
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
    return queries.pending().values().stream()
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
