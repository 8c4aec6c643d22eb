package io.kindred.studies.overlay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** The measurements of a {@link ResilienceStudy}, one record for each part. */
public final class ResilienceResults {
  private ResilienceResults() {}

  /**
   * Times in seconds after crashes of super-peers, as median, 95th percentile and maximum. Only
   * queries by members of the crashed super-peer's cluster count.
   *
   * @param inFlight duration of queries that were issued before the crash and answered after it
   * @param nextAnswer time from the crash to the first non-empty answer
   * @param slowestAnswer longest duration of a query issued within a lease after the crash
   * @param untilRepaired time from the crash until the overlay's structure was correct again
   */
  public record FailoverResult(
      double leaseSeconds,
      int crashes,
      int unanswered,
      Percentiles inFlight,
      Percentiles nextAnswer,
      Percentiles slowestAnswer,
      Percentiles untilRepaired) {}

  /** Percentiles of measured values. */
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

  /**
   * Measurements at a given churn rate: the share of the peers that leaves and returns in each
   * round.
   */
  public record ChurnResult(
      double rate,
      int queries,
      double recall,
      double unanswered,
      double controlBytesPerPeerRound,
      double messagesPerPeerRound,
      long epochs) {}

  /**
   * Messages that one crash caused, by message type and role of the crashed peer; keep-alive
   * messages are not counted.
   */
  public record RepairCost(
      int peers,
      String crashedRole,
      long messages,
      long bytes,
      SortedMap<String, Long> messagesByKind) {}

  /**
   * Recall and cost of a search after models drift.
   *
   * @param share share of the peers that drifted to another cluster
   * @param driftThreshold drift at which zones re-cluster
   * @param recallAfterDrift recall right after the drift
   * @param recallAfterReclustering recall some leases later
   * @param messagesPerPeer messages that the drift caused; keep-alive and search messages are not
   *     counted
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
