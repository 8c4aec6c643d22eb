package io.kindred.node;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.outbound.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** Selects the neighbours that the peer gets: all of them, or those whose links are good enough. */
final class NeighbourSelector {
  private final NodePlan plan;
  private final Outbox outbox;
  private final LinkProbes probes;
  private final NodeLog log;
  private final List<PeerId> candidates;
  private List<PeerId> selected;
  private SortedMap<PeerId, LinkProbes.LinkQuality> linkQualities = new TreeMap<>();

  NeighbourSelector(NodePlan plan, Outbox outbox, Collection<PeerId> known, NodeLog log) {
    this.plan = plan;
    this.outbox = outbox;
    this.log = log;
    probes = new LinkProbes(outbox, plan.messaging().links());
    candidates = plan.neighbours(known);
    selected = candidates;
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
