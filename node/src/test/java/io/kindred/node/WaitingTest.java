package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Component;
import io.kindred.core.PeerId;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.Parcel;
import io.kindred.node.transport.Arrivals;
import io.kindred.node.transport.Room;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingTest {
  private final Waiting waiting = new Waiting(Room.ofMemory(0));

  private static Arrivals.Arrival arrival(long bytes) {
    return new Arrivals.Arrival(
        new PeerId(1),
        Component.METHOD,
        new Gossip.Offer(1, 1, new Parcel(List.of()), false, 0),
        0,
        bytes,
        1,
        bytes);
  }

  @Test
  void messagesThatWaitAreCounted() {
    Arrivals.Arrival small = arrival(10);
    for (int i = 0; i < 1_024; i++) {
      assertThat(waiting.enter(small)).isTrue();
    }
    assertThat(waiting.enter(small)).isFalse();
    waiting.leave(small);
    assertThat(waiting.enter(small)).isTrue();
  }

  @Test
  void andTheyAreWeighed() {
    Arrivals.Arrival large = arrival(Runtime.getRuntime().maxMemory() / 20);
    assertThat(waiting.enter(large)).isTrue();
    assertThat(waiting.enter(large)).isFalse();
    waiting.leave(large);
    assertThat(waiting.enter(large)).isTrue();
  }
}
