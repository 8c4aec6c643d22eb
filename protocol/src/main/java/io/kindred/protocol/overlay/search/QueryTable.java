package io.kindred.protocol.overlay.search;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Queries that this peer started or helps to answer. {@code deferred} queries wait for a parent
 * pointer, {@code processed} are the last ones that it compared or forwarded, {@code compared} the
 * answered comparisons of its lowest clusters, {@code finished} the last ones whose root search
 * ended here.
 */
@Buildable
public record QueryTable(
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
   * This peer has accepted a query. Each level has its own limit, so that forwarded queries do not
   * displace compared ones.
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
