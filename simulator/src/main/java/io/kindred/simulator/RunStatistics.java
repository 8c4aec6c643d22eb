package io.kindred.simulator;

import io.kindred.simulator.state.TimeBreakdown;
import io.kindred.simulator.state.Traffic;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a run has counted so far. Nothing here changes what happens next. */
final class RunStatistics {
  private final Traffic traffic;
  private final TimeBreakdown timeBreakdown;
  private final SortedMap<String, Long> counts;

  RunStatistics(Traffic traffic, TimeBreakdown timeBreakdown, SortedMap<String, Long> counts) {
    this.traffic = traffic;
    this.timeBreakdown = timeBreakdown;
    this.counts = new TreeMap<>(counts);
  }

  Traffic traffic() {
    return traffic;
  }

  TimeBreakdown timeBreakdown() {
    return timeBreakdown;
  }

  void count(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  SortedMap<String, Long> counts() {
    return Collections.unmodifiableSortedMap(counts);
  }
}
