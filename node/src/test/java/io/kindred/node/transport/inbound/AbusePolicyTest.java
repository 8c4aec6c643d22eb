package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbusePolicyTest {
  private static final PeerId PEER = new PeerId(4);
  private static final Member MEMBER = new Member("tiny", PEER);

  private final List<String> log = new ArrayList<>();
  private final Refusals refusals = new Refusals(log::add);
  private double seconds = 1_000;
  private final AbusePolicy policy =
      new AbusePolicy(new Limits(1, 1, 10, 10, 60), refusals, () -> (long) (seconds * 1e9));

  private void offend(int times) {
    for (int i = 0; i < times; i++) {
      policy.reportOffence(MEMBER, RefusalKind.BAD_WEIGHTS, "wrong");
    }
  }

  @Test
  void threeOffencesWithinAMinuteMuteAndTheNextThreeForTwiceAsLong() {
    offend(2);
    assertThat(policy.mutedSeconds(PEER)).isZero();
    offend(1);
    assertThat(policy.mutedSeconds(PEER)).isEqualTo(60);
    assertThat(policy.mutedSeconds(new PeerId(5))).isZero();
    seconds += 45;
    assertThat(policy.mutedSeconds(PEER)).isEqualTo(15);
    seconds += 15;
    assertThat(policy.mutedSeconds(PEER)).isZero();
    offend(3);
    assertThat(policy.mutedSeconds(PEER)).isEqualTo(120);
    assertThat(policy.offenceStats().keySet()).containsExactly(4L);
    assertThat(policy.offenceStats().get(4L)).isEqualTo(new AbusePolicy.OffenceStats(6, 120));
  }

  @Test
  void offencesThatAreRareAreCountedAndNoMore() {
    for (int i = 0; i < 10; i++) {
      offend(1);
      seconds += 61;
    }
    assertThat(policy.mutedSeconds(PEER)).isZero();
    assertThat(refusals.counts())
        .containsEntry(RefusalKind.BAD_WEIGHTS, 10L)
        .doesNotContainKey(RefusalKind.MUTED);
  }

  @Test
  void muteEndsAtAnHour() {
    for (int i = 0; i < 12; i++) {
      offend(3);
    }
    assertThat(policy.mutedSeconds(PEER)).isEqualTo(3_600);
  }

  private int tokens() {
    int taken = 0;
    while (policy.tryTakeToken(PEER)) {
      taken++;
    }
    return taken;
  }

  @Test
  void aMemberHasTwoSecondsOfItsShareAtOnceAndThenItsShare() {
    assertThat(tokens()).isEqualTo(20);
    seconds += 0.5;
    assertThat(tokens()).isEqualTo(5);
    seconds += 100;
    assertThat(tokens()).isEqualTo(20);
    assertThat(policy.tryTakeToken(new PeerId(5))).isTrue();
    assertThat(policy.offenceStats()).isEmpty();
  }

  @Test
  void wordsOfOthersStayInOneShortLine() {
    refusals.add(RefusalKind.MALFORMED_MESSAGE, "no Message named a\nrefused: \u001b[31mb\u2028c");
    refusals.add(RefusalKind.MALFORMED_MESSAGE, "x".repeat(1 << 20));
    refusals.add(RefusalKind.MALFORMED_MESSAGE, "x".repeat(1 << 21));
    assertThat(log)
        .containsExactly(
            "refused: no Message named a?refused: ?[31mb?c",
            "refused: " + "x".repeat(300) + " (truncated)");
    assertThat(refusals.counts()).containsEntry(RefusalKind.MALFORMED_MESSAGE, 3L);
  }
}
