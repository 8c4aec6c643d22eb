package io.kindred.node;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.node.log.Log;
import io.kindred.node.transport.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** The neighbours that a peer is told of: all there are, or those whose ways are good enough. */
final class Surroundings {
  private final NodePlan plan;
  private final Outbox outbox;
  private final LinkProbes probes;
  private final Log log;
  private final List<PeerId> all;
  private List<PeerId> chosen;
  private SortedMap<PeerId, LinkProbes.Way> ways = new TreeMap<>();

  Surroundings(NodePlan plan, Outbox outbox, Collection<PeerId> known, Log log) {
    this.plan = plan;
    this.outbox = outbox;
    this.log = log;
    probes = new LinkProbes(outbox, plan.links());
    all = plan.neighbours(known);
    chosen = all;
  }

  /** Tries the ways where that is wanted; whether other neighbours are left than before. */
  synchronized boolean look() throws InterruptedException {
    if (plan.links().probes() == 0) {
      return false;
    }
    ways = probes.measure(all.stream().filter(peer -> !outbox.relays(peer)).toList());
    ways.forEach(
        (peer, way) ->
            log.info(
                "link",
                "way to %s: %.1f ms, %.1f MB/s, %.0f %% of %d tries in vain"
                    .formatted(
                        peer,
                        way.latencyTicks() / 1e3,
                        way.bytesPerSecond() / 1e6,
                        100 * way.errorProbability(),
                        plan.links().probes())));
    List<PeerId> before = chosen;
    chosen =
        all.stream()
            .filter(
                peer ->
                    Optional.ofNullable(ways.get(peer))
                        .map(way -> plan.links().selects(way.errorProbability()))
                        .orElse(true))
            .toList();
    return !chosen.equals(before);
  }

  synchronized List<PeerId> neighbours() {
    return chosen;
  }

  /** What the peer is told of the ways, if its method wants to know. */
  synchronized List<LongFunction<Event>> measurements() {
    List<LongFunction<Event>> events = new ArrayList<>();
    if (plan.cast().method().measuresLinks()) {
      ways.forEach(
          (peer, way) ->
              events.add(
                  tick ->
                      new Event.LinkMeasured(
                          tick,
                          peer,
                          way.bytesPerSecond(),
                          way.latencyTicks(),
                          way.errorProbability())));
    }
    return events;
  }
}
