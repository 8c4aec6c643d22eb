package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far the link reports of clients have deviated from those of the other ends, round by round. A
 * client is left out of a round if the median of its last deviations is beyond the tolerance: one
 * disturbed measurement accuses no client.
 *
 * @param tolerance ratio of rates up to which no client is accused
 * @param rounds how many rounds are judged together; with fewer a client is not accused
 * @param deviations the last deviations, oldest first; one means the tolerance
 */
@Buildable
public record LinkHistory(double tolerance, int rounds, List<Deviation> deviations) {
  /** The deviation of a client in a round, in units of the tolerance. */
  public record Deviation(PeerId client, double value) {}

  public LinkHistory {
    deviations = List.copyOf(deviations);
  }

  static LinkHistory empty(double tolerance, int rounds) {
    return new LinkHistory(tolerance, rounds, List.of());
  }

  /** The history with the reports of one more round. */
  LinkHistory with(LinkReports reports) {
    List<Deviation> all = new ArrayList<>(deviations);
    all.addAll(reports.deviations(this));
    List<Deviation> kept = new ArrayList<>();
    SortedMap<PeerId, Integer> counts = new TreeMap<>();
    for (Deviation deviation : all.reversed()) {
      if (counts.merge(deviation.client(), 1, Integer::sum) <= rounds) {
        kept.add(deviation);
      }
    }
    return new LinkHistory(tolerance, rounds, kept.reversed());
  }

  /**
   * Those of so many clients that are left out, in ascending order. If it would be a third of them,
   * none is: then links have changed between the measurements of their ends.
   */
  SortedSet<PeerId> contradicted(int clients) {
    SortedMap<PeerId, List<Double>> byClient = new TreeMap<>();
    for (Deviation each : deviations) {
      byClient.computeIfAbsent(each.client(), unseen -> new ArrayList<>()).add(each.value());
    }
    SortedSet<PeerId> contradicted = new TreeSet<>();
    byClient.forEach(
        (client, values) -> {
          Collections.sort(values);
          double median = (values.get((values.size() - 1) / 2) + values.get(values.size() / 2)) / 2;
          if (values.size() >= rounds && Math.abs(median) > 1) {
            contradicted.add(client);
          }
        });
    return 3 * contradicted.size() >= clients ? Collections.emptySortedSet() : contradicted;
  }
}
