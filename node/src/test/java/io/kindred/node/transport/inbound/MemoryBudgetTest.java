package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final long MEGABYTE = 1 << 20;
  private static final PeerId ONE = new PeerId(1);
  private static final PeerId TWO = new PeerId(2);
  private static final PeerId THREE = new PeerId(3);

  private final MemoryBudget budget = new MemoryBudget(16 * MEGABYTE);

  @Test
  void severalMessagesOfOneMemberTakeAQuarter() {
    assertThat(budget.tryReserve(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(budget.tryReserve(ONE, 2 * MEGABYTE)).isFalse();
    assertThat(budget.tryReserve(ONE, MEGABYTE)).isTrue();
    budget.release(ONE, 3 * MEGABYTE);
    assertThat(budget.tryReserve(ONE, 3 * MEGABYTE)).isTrue();
    assertThat(budget.reserved()).isEqualTo(4 * MEGABYTE);
  }

  /** Even if no other member has reserved memory. */
  @Test
  void oneMessageTakesHalfAndNeverMore() {
    assertThat(budget.tryReserve(ONE, 8 * MEGABYTE + 1)).isFalse();
    assertThat(budget.tryReserve(ONE, 8 * MEGABYTE)).isTrue();
    assertThat(budget.tryReserve(ONE, MEGABYTE)).isFalse();
    assertThat(budget.tryReserve(TWO, 8 * MEGABYTE)).isTrue();
    assertThat(budget.tryReserve(THREE, MEGABYTE)).isFalse();
    budget.release(ONE, 8 * MEGABYTE);
    budget.release(TWO, 8 * MEGABYTE);
    assertThat(budget.reserved()).isZero();
  }

  @Test
  void whoSendsAModelMaySaySomethingBesideIt() {
    assertThat(budget.tryReserve(ONE, 8 * MEGABYTE)).isTrue();
    assertThat(budget.tryReserve(ONE, 1_000)).isTrue();
    budget.release(ONE, 1_000);
    assertThat(budget.reserved()).isEqualTo(8 * MEGABYTE);
  }

  @Test
  void twoModelsFitHoweverLargeTheyAre() {
    long model = Runtime.getRuntime().maxMemory();
    MemoryBudget any = MemoryBudget.ofMemory(model);
    assertThat(any.tryReserve(ONE, model + 1_000)).isTrue();
    assertThat(any.tryReserve(TWO, model + 1_000)).isTrue();
    assertThat(any.tryReserve(THREE, model)).isFalse();
  }
}
