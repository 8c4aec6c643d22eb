package io.kindred.node;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.outbound.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/** Selects the neighbours that the peer gets: all of them, or those whose links are good enough. */
final class NeighbourSelector {
  /**
   * Largest number of neighbours in a network that nodes join and leave; discovery finds the
   * others.
   */
  private static final int MAX_LEARNED = 64;

  private final NodePlan plan;
  private final Outbox outbox;
  private final LinkProbes probes;
  private final NodeLog log;
  private final SortedSet<PeerId> configured;
  private List<PeerId> candidates;
  private List<PeerId> selected;
  private SortedMap<PeerId, LinkProbes.LinkQuality> linkQualities = new TreeMap<>();

  NeighbourSelector(NodePlan plan, Outbox outbox, Collection<PeerId> known, NodeLog log) {
    this.plan = plan;
    this.outbox = outbox;
    this.log = log;
    probes = new LinkProbes(outbox, plan.messaging().links());
    configured = new TreeSet<>(known);
    candidates = plan.neighbours(known);
    selected = candidates;
  }

  /**
   * Replaces the members that may be neighbours, in a network that nodes join and leave: configured
   * ones come first, then those with the lowest numbers. Returns whether that changed anything.
   */
  synchronized boolean membersAre(List<PeerId> present) {
    List<PeerId> next =
        present.stream()
            .sorted(
                Comparator.comparing((PeerId each) -> !configured.contains(each))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(MAX_LEARNED)
            .sorted()
            .toList();
    List<PeerId> eligible = plan.neighbours(next);
    if (eligible.equals(candidates)) {
      return false;
    }
    candidates = eligible;
    return select();
  }

  /**
   * Measures the links if the plan asks for probes; returns whether the selected neighbours
   * changed.
   */
  synchronized boolean reselect() throws InterruptedException {
    if (plan.messaging().links().probes() == 0) {
      return false;
    }
    linkQualities =
        probes.measure(candidates.stream().filter(peer -> !outbox.isRelayed(peer)).toList());
    linkQualities.forEach(
        (peer, linkQuality) ->
            log.withPeer(peer)
                .info(
                    "link",
                    "link to {}: {}",
                    peer,
                    "%.1f ms, %.1f MB/s, %.0f %% of %d probes failed"
                        .formatted(
                            linkQuality.latencyTicks() / 1e3,
                            linkQuality.bytesPerSecond() / 1e6,
                            100 * linkQuality.errorProbability(),
                            plan.messaging().links().probes())));
    return select();
  }

  /** Selects by the links as far as they were measured; returns whether the selection changed. */
  private boolean select() {
    List<PeerId> before = selected;
    selected =
        candidates.stream()
            .filter(
                peer ->
                    Optional.ofNullable(linkQualities.get(peer))
                        .map(
                            quality -> plan.messaging().links().selects(quality.errorProbability()))
                        .orElse(true))
            .toList();
    return !selected.equals(before);
  }

  synchronized List<PeerId> neighbours() {
    return selected;
  }

  /** Events with the measured links, if the method wants them. */
  synchronized List<LongFunction<Event>> measurements() {
    List<LongFunction<Event>> events = new ArrayList<>();
    if (plan.peerFactory().method().measuresLinks()) {
      linkQualities.forEach(
          (peer, linkQuality) ->
              events.add(
                  tick ->
                      new Event.LinkMeasured(
                          tick,
                          peer,
                          linkQuality.bytesPerSecond(),
                          linkQuality.latencyTicks(),
                          linkQuality.errorProbability())));
    }
    return events;
  }
}
