package io.kindred.simulator;

import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The events to come, in one fixed order: tick, receiver, sender, and a sequence number of the
 * sender. Taking an event advances the clock to it. Events for a paused peer wait apart until they
 * are released. The scheduler computes the result of queued work ahead of its tick.
 */
final class EventQueue {
  /** Before every peer, so that at the same tick environment events come first. */
  private static final int ENVIRONMENT_RECEIVER = -1;

  private final VirtualClock clock;
  private final ComputeScheduler computeScheduler;
  private final PriorityQueue<QueueEntry> queue = new PriorityQueue<>();
  private final SortedMap<EventKey, QueueEntry> deferred = new TreeMap<>();
  // The next number of each participant, and of the environment, which comes last.
  private final long[] sequences;
  private int peerEvents;

  EventQueue(
      VirtualClock clock,
      ComputeScheduler computeScheduler,
      SortedMap<EventKey, QueuedEvent> queued,
      SortedMap<EventKey, QueuedEvent> deferred,
      List<Long> sequences) {
    this.clock = clock;
    this.computeScheduler = computeScheduler;
    this.sequences = sequences.stream().mapToLong(Long::longValue).toArray();
    // In the order of the queue, so that workers start with the work that is needed first.
    queued.forEach((key, event) -> add(entry(key, event)));
    deferred.forEach((key, event) -> this.deferred.put(key, entry(key, event)));
  }

  private QueueEntry entry(EventKey key, QueuedEvent event) {
    return new QueueEntry(
        key,
        event,
        event instanceof QueuedEvent.Work work ? computeScheduler.add(key, work) : null);
  }

  private void add(QueueEntry entry) {
    peerEvents += entry.event().isEnvironmental() ? 0 : 1;
    queue.add(entry);
  }

  /** Takes a number that the sender has not used before, in the queue or otherwise. */
  long nextSequence(int sender) {
    return sequences[sender]++;
  }

  void schedule(long tick, int receiver, int sender, QueuedEvent event) {
    add(entry(new EventKey(tick, receiver, sender, nextSequence(sender)), event));
  }

  /** Schedules an event for the environment; a tick that has passed means now. */
  void scheduleEnvironment(long tick, QueuedEvent event) {
    schedule(Math.max(tick, clock.tick()), ENVIRONMENT_RECEIVER, sequences.length - 1, event);
  }

  /** Removes the next event and advances the clock to it; null if the queue is empty. */
  @Nullable QueueEntry take() {
    QueueEntry next = queue.poll();
    if (next != null) {
      clock.advanceTo(next.key().tick());
      peerEvents -= next.event().isEnvironmental() ? 0 : 1;
    }
    return next;
  }

  /** Keeps an event, which was taken, for a peer that is paused. */
  void defer(QueueEntry entry) {
    deferred.put(entry.key(), entry);
  }

  /** Queues the deferred events of a peer, now and in their original order. */
  void releaseDeferred(int peer) {
    List<QueueEntry> released = new ArrayList<>();
    deferred.values().removeIf(each -> each.key().receiver() == peer && released.add(each));
    for (QueueEntry each : released) {
      EventKey key = each.key();
      add(
          new QueueEntry(
              new EventKey(clock.tick(), key.receiver(), key.sender(), key.sequence()),
              each.event(),
              each.computation()));
    }
  }

  /** The number of queued events for peers; neither deferred nor environment events count. */
  int peerEvents() {
    return peerEvents;
  }

  SortedMap<EventKey, QueuedEvent> queued() {
    SortedMap<EventKey, QueuedEvent> events = new TreeMap<>();
    queue.forEach(entry -> events.put(entry.key(), entry.event()));
    return events;
  }

  SortedMap<EventKey, QueuedEvent> deferred() {
    SortedMap<EventKey, QueuedEvent> events = new TreeMap<>();
    deferred.forEach((key, entry) -> events.put(key, entry.event()));
    return events;
  }

  List<Long> sequences() {
    List<Long> numbers = new ArrayList<>();
    for (long sequence : sequences) {
      numbers.add(sequence);
    }
    return numbers;
  }
}
