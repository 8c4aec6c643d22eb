package io.kindred.node;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.outbound.Outbox;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells the peer when its neighbours change: when measured links become better or worse, and, in a
 * network that nodes join and leave, when a member becomes known or cannot be reached any more.
 */
final class NeighbourUpdates {
  /** Interval at which a node looks for members that joined or left. */
  private static final int SECONDS_BETWEEN_CHECKS = 2;

  /** Messages in succession that did not arrive, after which a member counts as gone. */
  private static final int FAILURES_OF_ABSENT = 2;

  private final NodePlan plan;
  private final NeighbourSelector selector;
  private final Outbox outbox;
  private final Supplier<List<PeerId>> known;
  private final PendingEvents events;
  private final NodeLog log;
  private final Map<PeerId, Integer> failures = new ConcurrentSkipListMap<>();

  /**
   * @param known members whose addresses the node knows
   */
  NeighbourUpdates(
      NodePlan plan,
      NeighbourSelector selector,
      Outbox outbox,
      Supplier<List<PeerId>> known,
      PendingEvents events,
      NodeLog log) {
    this.plan = plan;
    this.selector = selector;
    this.outbox = outbox;
    this.known = known;
    this.events = events;
    this.log = log;
  }

  /** Begins to look for changes. */
  void schedule(ScheduledExecutorService timers) {
    long micros = Ticks.ofSeconds(plan.messaging().links().everySeconds());
    if (micros > 0) {
      Future<?> _ =
          timers.scheduleWithFixedDelay(
              () -> Thread.startVirtualThread(this::measureLinks),
              micros,
              micros,
              TimeUnit.MICROSECONDS);
    }
    if (plan.peerFactory().open()) {
      PeriodicTask.schedule(
          timers,
          TimeUnit.SECONDS.toMillis(SECONDS_BETWEEN_CHECKS),
          "looking for members that joined or left",
          this::checkMembers,
          log);
    }
  }

  private void measureLinks() {
    try {
      if (selector.reselect()) {
        neighboursChanged();
      }
      selector.measurements().forEach(events::add);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void checkMembers() {
    if (membersChanged()) {
      neighboursChanged();
    }
  }

  /**
   * Takes in members that became known and leaves out those that cannot be reached, where nodes
   * join and leave; returns whether the neighbours changed.
   */
  boolean membersChanged() {
    if (!plan.peerFactory().open()) {
      return false;
    }
    List<PeerId> absent =
        failures.entrySet().stream()
            .filter(each -> each.getValue() >= FAILURES_OF_ABSENT)
            .map(Map.Entry::getKey)
            .toList();
    absent.forEach(each -> outbox.exchangeAddresses(each, () -> heard(each)));
    List<PeerId> present = known.get().stream().filter(each -> !absent.contains(each)).toList();
    List<PeerId> before = selector.neighbours();
    if (!selector.membersAre(present)) {
      return false;
    }
    List<PeerId> now = selector.neighbours();
    log(now, before, "member-joined", "{} is a neighbour now");
    log(before, now, "member-left", "going on without {}, which cannot be reached");
    return true;
  }

  private void log(List<PeerId> all, List<PeerId> without, String event, String pattern) {
    all.stream()
        .filter(each -> !without.contains(each))
        .forEach(each -> log.withPeer(each).info(event, pattern, each));
  }

  private void neighboursChanged() {
    List<PeerId> now = selector.neighbours();
    events.add(tick -> new Event.NeighboursChanged(tick, now));
  }

  /** A message of this member has arrived, so it is there. */
  void heard(PeerId member) {
    failures.remove(member);
  }

  /** A message to this member has not arrived. */
  void unreached(PeerId member) {
    failures.merge(member, 1, Integer::sum);
  }
}
