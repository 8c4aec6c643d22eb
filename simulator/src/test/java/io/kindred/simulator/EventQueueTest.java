package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.baseline.Local;
import io.kindred.runtime.ComputeBudget;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final int PEERS = 3;
  private static final QueuedEvent EVENT = new QueuedEvent.NeighbourUpdate();
  private static final QueuedEvent CHANGE =
      new QueuedEvent.EnvironmentChange(0, new FaultEvent.Heal(0));

  private final SimulationSpec spec = SmallSimulation.of(PEERS, 1).builder(new Local()).build();
  private final ComputeScheduler scheduler =
      new ComputeScheduler(
          spec,
          new Workers(
              Runnable::run,
              () -> {
                throw new IllegalStateException("nothing is trained");
              },
              () -> 0),
          new ComputeBudget(1, 1));
  private final VirtualClock clock = new VirtualClock(spec.environment(), PEERS, 0);
  private final EventQueue queue =
      new EventQueue(clock, scheduler, new TreeMap<>(), new TreeMap<>(), List.of(0L, 0L, 0L, 0L));

  private static EventKey key(long tick, long receiver, long sender, long sequence) {
    return new EventKey(tick, receiver, sender, sequence);
  }

  private QueueEntry taken() {
    return Objects.requireNonNull(queue.take());
  }

  private List<EventKey> takeAll() {
    List<EventKey> keys = new ArrayList<>();
    for (QueueEntry next = queue.take(); next != null; next = queue.take()) {
      keys.add(next.key());
      assertThat(clock.tick()).isEqualTo(next.key().tick());
    }
    return keys;
  }

  @Test
  void eventsComeByTickReceiverSenderAndSequence() {
    queue.schedule(20, 0, 0, EVENT);
    queue.schedule(10, 2, 0, EVENT);
    queue.schedule(10, 1, 2, EVENT);
    queue.schedule(10, 1, 0, EVENT);
    queue.schedule(10, 1, 0, EVENT);
    assertThat(takeAll())
        .containsExactly(
            key(10, 1, 0, 2),
            key(10, 1, 0, 3),
            key(10, 1, 2, 0),
            key(10, 2, 0, 1),
            key(20, 0, 0, 0));
  }

  @Test
  void environmentEventsComeFirstAtTheirTickAndNeverInThePast() {
    clock.advanceTo(10);
    queue.schedule(10, 0, 0, EVENT);
    queue.scheduleEnvironment(3, CHANGE);
    assertThat(takeAll()).containsExactly(key(10, -1, PEERS, 0), key(10, 0, 0, 0));
  }

  @Test
  void onlyQueuedEventsOfPeersCount() {
    queue.schedule(1, 0, 0, EVENT);
    queue.schedule(2, 1, 1, EVENT);
    queue.scheduleEnvironment(0, CHANGE);
    assertThat(queue.peerEvents()).isEqualTo(2);
    queue.take();
    assertThat(queue.peerEvents()).isEqualTo(2);
    queue.defer(taken());
    assertThat(queue.peerEvents()).isEqualTo(1);
    queue.releaseDeferred(0);
    assertThat(queue.peerEvents()).isEqualTo(2);
  }

  @Test
  void deferredEventsOfOnePeerAreReleasedNowAndInTheirOrder() {
    queue.schedule(1, 0, 0, EVENT);
    queue.schedule(2, 0, 2, EVENT);
    queue.schedule(3, 1, 1, EVENT);
    for (int i = 0; i < 3; i++) {
      queue.defer(taken());
    }
    assertThat(queue.deferred().keySet())
        .containsExactly(key(1, 0, 0, 0), key(2, 0, 2, 0), key(3, 1, 1, 0));
    clock.advanceTo(50);
    queue.releaseDeferred(0);
    assertThat(queue.deferred().keySet()).containsExactly(key(3, 1, 1, 0));
    assertThat(takeAll()).containsExactly(key(50, 0, 0, 0), key(50, 0, 2, 0));
  }

  @Test
  void aQueueMadeOfWhatAnotherHoldsContinuesLikeIt() {
    queue.schedule(1, 0, 0, EVENT);
    queue.schedule(2, 1, 0, EVENT);
    queue.scheduleEnvironment(3, CHANGE);
    queue.defer(taken());
    EventQueue copy =
        new EventQueue(clock, scheduler, queue.queued(), queue.deferred(), queue.sequences());
    assertThat(copy.queued()).isEqualTo(queue.queued());
    assertThat(copy.deferred()).isEqualTo(queue.deferred());
    assertThat(copy.peerEvents()).isEqualTo(1);
    assertThat(copy.nextSequence(0)).isEqualTo(2);
    assertThat(copy.nextSequence(PEERS)).isEqualTo(1);
  }
}
