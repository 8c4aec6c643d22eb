package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import io.kindred.node.identity.Member;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConductTest {
  private static final PeerId PEER = new PeerId(4);
  private static final Member MEMBER = new Member("tiny", PEER);

  private final List<String> log = new ArrayList<>();
  private final Refusals refusals = new Refusals(log::add);
  private double seconds = 1_000;
  private final Conduct conduct =
      new Conduct(new Limits(1, 1, 10, 10, 60), refusals, () -> (long) (seconds * 1e9));

  private void offend(int times) {
    for (int i = 0; i < times; i++) {
      conduct.offence(MEMBER, "bad-weights", "wrong");
    }
  }

  @Test
  void threeOffencesWithinAMinuteMuteAndTheNextThreeForTwiceAsLong() {
    offend(2);
    assertThat(conduct.mutedSeconds(PEER)).isZero();
    offend(1);
    assertThat(conduct.mutedSeconds(PEER)).isEqualTo(60);
    assertThat(conduct.mutedSeconds(new PeerId(5))).isZero();
    seconds += 45;
    assertThat(conduct.mutedSeconds(PEER)).isEqualTo(15);
    seconds += 15;
    assertThat(conduct.mutedSeconds(PEER)).isZero();
    offend(3);
    assertThat(conduct.mutedSeconds(PEER)).isEqualTo(120);
    assertThat(conduct.told().keySet()).containsExactly(4L);
    assertThat(conduct.told().get(4L)).isEqualTo(new Conduct.Told(6, 120));
  }

  @Test
  void offencesThatAreRareAreCountedAndNoMore() {
    for (int i = 0; i < 10; i++) {
      offend(1);
      seconds += 61;
    }
    assertThat(conduct.mutedSeconds(PEER)).isZero();
    assertThat(refusals.counts()).containsEntry("bad-weights", 10L).doesNotContainKey("muted");
  }

  @Test
  void muteEndsAtAnHour() {
    for (int i = 0; i < 12; i++) {
      offend(3);
    }
    assertThat(conduct.mutedSeconds(PEER)).isEqualTo(3_600);
  }

  private int turns() {
    int taken = 0;
    while (conduct.takesTurn(PEER)) {
      taken++;
    }
    return taken;
  }

  @Test
  void aMemberHasTwoSecondsOfItsShareAtOnceAndThenItsShare() {
    assertThat(turns()).isEqualTo(20);
    seconds += 0.5;
    assertThat(turns()).isEqualTo(5);
    seconds += 100;
    assertThat(turns()).isEqualTo(20);
    assertThat(conduct.takesTurn(new PeerId(5))).isTrue();
    assertThat(conduct.told()).isEmpty();
  }

  @Test
  void wordsOfOthersStayInOneShortLine() {
    refusals.add("malformed-message", "no Message named a\nrefused: \u001b[31mb\u2028c");
    refusals.add("malformed-message", "x".repeat(1 << 20));
    refusals.add("malformed-message", "x".repeat(1 << 21));
    assertThat(log)
        .containsExactly(
            "refused: no Message named a?refused: ?[31mb?c",
            "refused: " + "x".repeat(300) + " (and so on)");
    assertThat(refusals.counts()).containsEntry("malformed-message", 3L);
  }
}
