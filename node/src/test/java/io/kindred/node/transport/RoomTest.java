package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final long MEGABYTE = 1 << 20;
  private static final PeerId ONE = new PeerId(1);
  private static final PeerId TWO = new PeerId(2);

  private final Room room = new Room(10 * MEGABYTE, 4 * MEGABYTE);

  @Test
  void oneMemberTakesItsShareAndLeavesTheRestToOthers() {
    assertThat(room.take(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(room.take(ONE, 2 * MEGABYTE)).isFalse();
    assertThat(room.take(ONE, MEGABYTE)).isTrue();
    assertThat(room.take(TWO, 7 * MEGABYTE)).isFalse();
    assertThat(room.take(TWO, 6 * MEGABYTE)).isTrue();
    room.leave(ONE, 3 * MEGABYTE);
    assertThat(room.take(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(room.taken()).isEqualTo(10 * MEGABYTE);
  }

  @Test
  void whoeverIsAloneGetsInAndMaySaySomethingBeside() {
    assertThat(room.take(ONE, 20 * MEGABYTE)).isTrue();
    assertThat(room.take(ONE, 1_000)).isTrue();
    assertThat(room.take(TWO, MEGABYTE)).isFalse();
    room.leave(ONE, 1_000);
    room.leave(ONE, 20 * MEGABYTE);
    assertThat(room.taken()).isZero();
  }
}
