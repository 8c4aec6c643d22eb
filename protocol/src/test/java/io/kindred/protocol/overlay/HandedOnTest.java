package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.OWN;
import static io.kindred.protocol.overlay.Scenes.SELF;
import static io.kindred.protocol.overlay.Scenes.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.Appointment;
import io.kindred.protocol.overlay.OverlayMessage.Contribution;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What others say of zones and clusters that a peer builds on. */
class HandedOnTest {
  private static final ZoneId LOWEST = Scenes.zone(1, SELF);
  private static final ZoneId SECOND = Scenes.zone(2, SELF);
  private static final ClusterDescriptor LOW = Scenes.cluster(LOWEST, OWN, SELF);
  private static final ClusterDescriptor HIGH = Scenes.cluster(SECOND, OWN, SELF);

  private final Overlay overlay = Scenes.overlay(Scenes.LIVING);

  private static void refused(ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made);
  }

  private static Contribution contribution(ZoneId to, ClusterDescriptor cluster) {
    return new Contribution(to, cluster.zone(), 1, List.of(cluster), QuantileSketch.empty());
  }

  @Test
  void peersGiveSignaturesAndZonesGiveClusters() {
    refused(() -> new SignatureReply(SECOND, OWN, 2));
    refused(() -> contribution(LOWEST, LOW));
    refused(() -> contribution(SECOND, HIGH));
    assertThat(contribution(SECOND, LOW).clusters()).containsExactly(LOW);
  }

  @Test
  void noWayUpOrDownIsACircle() {
    refused(() -> new Appointment(HIGH, List.of(), List.of(HIGH), 0));
    refused(() -> new Parent(LOW.id(), LOW.id(), List.of(SELF), 0));
    refused(() -> new Parent(HIGH.id(), LOW.id(), List.of(SELF), 0));
  }

  @Test
  void levelsCountFromOneAndAreFew() {
    for (int level : new int[] {Integer.MIN_VALUE, -1, 0, 65, Integer.MAX_VALUE}) {
      refused(() -> new ZoneId(1, level, OTHER));
      refused(() -> new ScoreOffer(1, level, OTHER, Bytes.wrap(new byte[0]), 1));
    }
  }

  @Test
  void aSignatureForAnotherZoneIsNotTaken() {
    OverlayState state = Scenes.state(Scenes.leading(1, Lead.Stage.COLLECTING, SELF, OTHER));
    Message reply = new SignatureReply(Scenes.zone(1, THIRD), OWN, 2);
    Step<OverlayState> step = Scenes.receive(overlay, state, OTHER, reply);
    assertThat(Scenes.counted(step, "overlay-offered-elsewhere")).isOne();
    assertThat(step.state()).isEqualTo(state);
  }

  @Test
  void aZoneWithNothingToClusterWaits() {
    OverlayState state = Scenes.state(Scenes.leading(2, Lead.Stage.COLLECTING, OTHER));
    Message empty = contribution(SECOND, LOW).with(List.of());
    Step<OverlayState> step = Scenes.receive(overlay, state, OTHER, empty);
    assertThat(Scenes.counted(step, "overlay-nothing-to-cluster")).isOne();
  }

  private static Ward lowest(Held held) {
    return Scenes.ward(1, held, SELF, OTHER);
  }

  @Test
  void aZoneIsNotTakenOverFromWhoDoesNotKnowIt() {
    Signature another = Scenes.signature(3);
    List<PeerId> members = List.of(SELF, OTHER);
    ClusterDescriptor last =
        new ClusterDescriptor(Integer.MAX_VALUE, SELF, OWN, List.of(SELF), 2, LOWEST);
    List<Ward> unsound =
        List.of(
            lowest(new Held(LOW, List.of(), List.of())),
            lowest(new Held(LOW, members, List.of(LOW))),
            lowest(new Held(Scenes.cluster(Scenes.zone(1, THIRD), OWN, SELF), members, List.of())),
            lowest(new Held(Scenes.cluster(LOWEST, another, SELF), members, List.of())),
            lowest(new Held(last, members, List.of())),
            Scenes.ward(2, new Held(HIGH, List.of(), List.of(HIGH)), SELF, OTHER),
            Scenes.ward(2, new Held(HIGH, List.of(), List.of()), SELF, OTHER));
    OverlayState state = Scenes.state(Scenes.blank());
    for (Ward ward : unsound) {
      for (Message message :
          List.of(new LifeMessage.Copy(ward), new LifeMessage.Resignation(ward))) {
        Step<OverlayState> step = Scenes.receive(overlay, state, OTHER, message);
        assertThat(Scenes.counted(step, "overlay-unsound-copy")).isOne();
        assertThat(step.state()).isEqualTo(state);
      }
    }
  }

  @Test
  void aZoneIsTakenOverFromWhoLedIt() {
    OverlayState state = Scenes.state(Scenes.blank());
    Ward ward = lowest(new Held(LOW, List.of(SELF, OTHER), List.of()));
    Step<OverlayState> step =
        Scenes.receive(overlay, state, OTHER, new LifeMessage.Resignation(ward));
    assertThat(step.state().built()).containsOnlyKeys(LOWEST);
  }

  @Test
  void sizesThatOthersInventDoNotOverflow() {
    ClusterDescriptor huge =
        new ClusterDescriptor(1, OTHER, OWN, List.of(OTHER), Integer.MAX_VALUE, LOWEST);
    Ward ward = Scenes.ward(2, new Held(HIGH, List.of(), List.of(huge, huge)), SELF);
    assertThat(Holding.repaired(ward, 3).descriptors())
        .singleElement()
        .extracting(ClusterDescriptor::size)
        .isEqualTo(Integer.MAX_VALUE);
  }
}
