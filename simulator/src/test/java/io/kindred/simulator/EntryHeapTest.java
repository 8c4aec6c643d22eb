package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class EntryHeapTest {
  private final RandomStream random = new RandomStreams(3).stream(new Purpose("heap"), 0, 0);

  /** Few ticks and receivers, so that the order is often decided by the sequence number. */
  private QueueEntry entry(int number) {
    EventKey key =
        new EventKey(random.nextInt(20), random.nextInt(3) - 1, random.nextInt(2), number);
    return new QueueEntry(key, new QueuedEvent.NeighbourUpdate(), null);
  }

  @Test
  void entriesComeInTheOrderOfTheirKeysWhateverIsAddedBetween() {
    EntryHeap heap = new EntryHeap();
    PriorityQueue<QueueEntry> plain = new PriorityQueue<>();
    for (int number = 0; number < 3000; number++) {
      QueueEntry entry = entry(number);
      heap.add(entry);
      plain.add(entry);
      // The heap grows to some hundreds of entries, shrinks to none, and grows again.
      for (int taken = number / 500 % 2 * random.nextInt(4); taken > 0; taken--) {
        assertThat(heap.poll()).isSameAs(plain.poll());
      }
    }
    while (!plain.isEmpty()) {
      assertThat(heap.poll()).isSameAs(plain.poll());
    }
    assertThat(heap.poll()).isNull();
  }

  @Test
  void everyEntryIsVisited() {
    EntryHeap heap = new EntryHeap();
    List<QueueEntry> added = new ArrayList<>();
    for (int number = 0; number < 200; number++) {
      QueueEntry entry = entry(number);
      heap.add(entry);
      added.add(entry);
    }
    List<QueueEntry> visited = new ArrayList<>();
    heap.forEach(visited::add);
    assertThat(visited).containsExactlyInAnyOrderElementsOf(added);
  }
}
