package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final long MEGABYTE = 1 << 20;
  private static final PeerId ONE = new PeerId(1);
  private static final PeerId TWO = new PeerId(2);
  private static final PeerId THREE = new PeerId(3);

  private final Room room = new Room(16 * MEGABYTE);

  @Test
  void severalMessagesOfOneMemberTakeAQuarter() {
    assertThat(room.take(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(room.take(ONE, 2 * MEGABYTE)).isFalse();
    assertThat(room.take(ONE, MEGABYTE)).isTrue();
    room.leave(ONE, 3 * MEGABYTE);
    assertThat(room.take(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(room.taken()).isEqualTo(4 * MEGABYTE);
  }

  /** Also where nobody else is there yet. */
  @Test
  void oneMessageTakesHalfAndNeverMore() {
    assertThat(room.take(ONE, 8 * MEGABYTE + 1)).isFalse();
    assertThat(room.take(ONE, 8 * MEGABYTE)).isTrue();
    assertThat(room.take(ONE, MEGABYTE)).isFalse();
    assertThat(room.take(TWO, 8 * MEGABYTE)).isTrue();
    assertThat(room.take(THREE, MEGABYTE)).isFalse();
    room.leave(ONE, 8 * MEGABYTE);
    room.leave(TWO, 8 * MEGABYTE);
    assertThat(room.taken()).isZero();
  }

  @Test
  void whoSendsAModelMaySaySomethingBesideIt() {
    assertThat(room.take(ONE, 8 * MEGABYTE)).isTrue();
    assertThat(room.take(ONE, 1_000)).isTrue();
    room.leave(ONE, 1_000);
    assertThat(room.taken()).isEqualTo(8 * MEGABYTE);
  }

  @Test
  void twoModelsFitHoweverLargeTheyAre() {
    long model = Runtime.getRuntime().maxMemory();
    Room any = Room.ofMemory(model);
    assertThat(any.take(ONE, model + 1_000)).isTrue();
    assertThat(any.take(TWO, model + 1_000)).isTrue();
    assertThat(any.take(THREE, model)).isFalse();
  }
}
