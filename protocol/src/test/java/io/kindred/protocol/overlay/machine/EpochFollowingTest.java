package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.vrf.Epoch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which messages make a peer follow into another epoch. */
class EpochFollowingTest {
  private static final long FOR_EVER = 1L << 50;

  private final Overlay overlay = OverlayFixtures.overlay(OverlayFixtures.MAINTAINED);
  private final OverlayState state = OverlayFixtures.state(OverlayFixtures.emptyEpoch());

  private static Message offer(long epoch) {
    return new OverlayMessage.ScoreOffer(epoch, 1, OTHER, Bytes.wrap(new byte[0]), 1);
  }

  private static Message shelter(long epoch) {
    ZoneId zone = new ZoneId(epoch, 1, OTHER);
    return new MembershipMessage.OverlayContact(
        epoch,
        new RootId(zone, 0, OTHER),
        2,
        new ClusterReplica.ClusterPointer(
            OverlayFixtures.cluster(zone, OWN, OTHER).id(), List.of(OTHER)));
  }

  private Step<OverlayState> receive(Message message) {
    return OverlayFixtures.receive(overlay, state, OTHER, message);
  }

  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anImpossibleEpochIsNotFollowed() {
    for (Message message : List.of(offer(FOR_EVER), offer(Long.MAX_VALUE), shelter(FOR_EVER))) {
      Step<OverlayState> step = receive(message);
      assertThat(OverlayFixtures.counted(step, "overlay-other-epoch")).isOne();
      assertThat(step.state()).isEqualTo(state);
    }
  }

  @Test
  void whoWasAwayForThousandsOfEpochsFollows() {
    Epoch before = ElectionsTest.BEFORE;
    for (int i = 0; i < 9_999; i++) {
      before = before.next();
    }
    for (Message message : List.of(offer(10_000), shelter(10_000))) {
      assertThat(newest(receive(message))).isEqualTo(before);
    }
  }

  private static Epoch newest(Step<OverlayState> step) {
    return step.state().epochs().sequencedValues().getLast().previousEpoch();
  }

  @Test
  void laterEpochsFollowFromThoseThatAreKept() {
    Step<OverlayState> there = receive(offer(10_000));
    Step<OverlayState> next = OverlayFixtures.receive(overlay, there.state(), OTHER, offer(10_001));
    assertThat(newest(next)).isEqualTo(newest(there).next());
  }
}
