package io.kindred.protocol.overlay.search;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.Threshold;
import io.kindred.protocol.overlay.ThresholdRule;
import java.util.Optional;

/**
 * A peer's state of search; the same in all epochs.
 *
 * @param queries queries that this peer started or helps to answer
 * @param threshold the threshold that the peer's last search ended with
 * @param passed comparisons that reached the threshold since the last new signature
 * @param scored comparisons since the last new signature
 */
@Buildable
public record SearchState(
    QueryTable queries, Optional<Threshold> threshold, long passed, long scored) {
  public static final SearchState EMPTY =
      new SearchState(QueryTable.empty(0), Optional.empty(), 0, 0);

  SearchState with(QueryTable next) {
    return SearchStateBuilder.from(this).queries(next).build();
  }

  /** After a new signature: the threshold adapts to its drift. */
  SearchState adapted(double similarity, ThresholdRule rule) {
    return new SearchState(
        queries, threshold.map(value -> value.next(passed, scored, similarity, rule)), 0, 0);
  }
}
