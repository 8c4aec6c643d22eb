package io.kindred.studies.overlay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** What a {@link ResilienceStudy} measures, one record for each of its parts. */
public final class ResilienceResults {
  private ResilienceResults() {}

  /**
   * What came of so many crashes of super-peers, in seconds; each as median, 95th percentile and
   * most.
   *
   * @param inFlight how long queries took that such peers had asked before and that were not
   *     answered when it crashed
   * @param nextAnswer until a peer of the super-peer's cluster had an answer again
   * @param slowestAnswer until the last query was answered that such a peer asked within a lease
   * @param untilRepaired until the overlay was whole without it
   */
  public record FailoverResult(
      double leaseSeconds,
      int crashes,
      int unanswered,
      Percentiles inFlight,
      Percentiles nextAnswer,
      Percentiles slowestAnswer,
      Percentiles untilRepaired) {}

  /** Of measured values. */
  public record Percentiles(double median, double p95, double maximum) {
    static Percentiles of(List<Double> values) {
      List<Double> sorted = new ArrayList<>(values);
      Collections.sort(sorted);
      return sorted.isEmpty()
          ? new Percentiles(0, 0, 0)
          : new Percentiles(
              sorted.get(sorted.size() / 2),
              sorted.get((int) (0.95 * (sorted.size() - 1))),
              sorted.getLast());
    }
  }

  /** What a share of peers that leave and come in each round does. */
  public record ChurnResult(
      double rate,
      int queries,
      double recall,
      double unanswered,
      double controlBytesPerPeerRound,
      double messagesPerPeerRound,
      long epochs) {}

  /** Messages that one crash caused, signs of life not counted, by whom it was and of what kind. */
  public record RepairCost(
      int peers,
      String crashedRole,
      long messages,
      long bytes,
      SortedMap<String, Long> messagesByKind) {}

  /**
   * What becomes of search when models turn.
   *
   * @param share of the peers that turned to another cluster
   * @param driftThreshold what the zones were told to react to
   * @param recallAfterDrift recall as soon as they had turned
   * @param recallAfterReclustering recall some leases later
   * @param messagesPerPeer that this caused, signs of life and searches not counted
   */
  public record DriftResult(
      double share,
      double driftThreshold,
      double recallBefore,
      double recallAfterDrift,
      double recallAfterReclustering,
      double messagesPerPeer,
      double bytesPerPeer,
      long reclusterings,
      long epochs) {}
}
