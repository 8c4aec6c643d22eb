package io.kindred.lab.run;

import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.Traffic;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What came of searches for those most alike; depth and what follows it only where they went over
 * an overlay.
 *
 * @param recallAtK share of the K most alike peers by signature that were found, in the last round
 * @param recallAtKFull the same by whole vectors
 * @param depth levels of the overlay
 * @param zones of the lowest level
 * @param clusters of all levels
 */
public record OverlayFigures(
    Optional<Double> recallAtK,
    Optional<Double> recallAtKFull,
    Optional<Integer> depth,
    Optional<Integer> zones,
    Optional<Integer> clusters,
    Optional<Double> messagesPerQuery,
    Optional<Double> bytesPerQuery) {
  static Optional<OverlayFigures> of(SortedMap<String, Double> last, Simulation simulation) {
    Traffic.Searches searches = simulation.traffic().searches();
    if (searches.queries() == 0) {
      return Optional.empty();
    }
    Set<ClusterId> clusters = Hierarchy.seats(Hierarchy.states(simulation.everybody())).keySet();
    SortedSet<ZoneId> zones = new TreeSet<>();
    clusters.stream().filter(each -> each.level() == 1).forEach(each -> zones.add(each.zone()));
    boolean built = !clusters.isEmpty();
    return Optional.of(
        new OverlayFigures(
            Optional.ofNullable(last.get(Recorder.RECALL)),
            Optional.ofNullable(last.get(Recorder.FULL_RECALL)),
            only(built, clusters.stream().mapToInt(ClusterId::level).max().orElse(0)),
            only(built, zones.size()),
            only(built, clusters.size()),
            only(built, (double) searches.messages() / searches.queries()),
            only(built, (double) searches.bytes() / searches.queries())));
  }

  private static <T> Optional<T> only(boolean known, T value) {
    return known ? Optional.of(value) : Optional.empty();
  }
}
