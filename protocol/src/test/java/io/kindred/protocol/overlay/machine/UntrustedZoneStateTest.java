package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.clustering.ClusterPlacement;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** How a peer checks zones and clusters that other peers send. */
class UntrustedZoneStateTest {
  private static final ZoneId LOWEST = OverlayFixtures.zone(1, SELF);
  private static final ZoneId SECOND = OverlayFixtures.zone(2, SELF);
  private static final ClusterDescriptor LOW = OverlayFixtures.cluster(LOWEST, OWN, SELF);
  private static final ClusterDescriptor HIGH = OverlayFixtures.cluster(SECOND, OWN, SELF);

  private final Overlay overlay = OverlayFixtures.overlay(OverlayFixtures.MAINTAINED);

  private static void refused(ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made);
  }

  private static ClusterReport contribution(ZoneId to, ClusterDescriptor cluster) {
    return new ClusterReport(to, cluster.zone(), 1, List.of(cluster), QuantileSketch.empty());
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
    refused(() -> new ReplicaAssigned(HIGH, List.of(), List.of(HIGH), 0));
    refused(() -> new ParentAssigned(LOW.id(), LOW.id(), List.of(SELF), 0));
    refused(() -> new ParentAssigned(HIGH.id(), LOW.id(), List.of(SELF), 0));
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
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.formingZone(1, ZoneFormation.Stage.COLLECTING, SELF, OTHER));
    Message reply = new SignatureReply(OverlayFixtures.zone(1, THIRD), OWN, 2);
    Step<OverlayState> step = OverlayFixtures.receive(overlay, state, OTHER, reply);
    assertThat(OverlayFixtures.counted(step, "overlay-input-for-other-zone")).isOne();
    assertThat(step.state()).isEqualTo(state);
  }

  @Test
  void aZoneWithNothingToClusterWaits() {
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.formingZone(2, ZoneFormation.Stage.COLLECTING, OTHER));
    Message empty = contribution(SECOND, LOW).with(List.of());
    Step<OverlayState> step = OverlayFixtures.receive(overlay, state, OTHER, empty);
    assertThat(OverlayFixtures.counted(step, "overlay-nothing-to-cluster")).isOne();
  }

  private static ZoneState lowest(ClusterEntry cluster) {
    return OverlayFixtures.zoneState(1, cluster, SELF, OTHER);
  }

  @Test
  void aZoneIsNotTakenOverFromWhoDoesNotKnowIt() {
    Signature another = OverlayFixtures.signature(3);
    List<PeerId> members = List.of(SELF, OTHER);
    ClusterDescriptor last =
        new ClusterDescriptor(Integer.MAX_VALUE, SELF, OWN, List.of(SELF), 2, LOWEST);
    List<ZoneState> unsound =
        List.of(
            lowest(new ClusterEntry(LOW, List.of(), List.of())),
            lowest(new ClusterEntry(LOW, members, List.of(LOW))),
            lowest(
                new ClusterEntry(
                    OverlayFixtures.cluster(OverlayFixtures.zone(1, THIRD), OWN, SELF),
                    members,
                    List.of())),
            lowest(
                new ClusterEntry(
                    OverlayFixtures.cluster(LOWEST, another, SELF), members, List.of())),
            lowest(new ClusterEntry(last, members, List.of())),
            OverlayFixtures.zoneState(
                2, new ClusterEntry(HIGH, List.of(), List.of(HIGH)), SELF, OTHER),
            OverlayFixtures.zoneState(
                2, new ClusterEntry(HIGH, List.of(), List.of()), SELF, OTHER));
    OverlayState state = OverlayFixtures.state(OverlayFixtures.emptyEpoch());
    for (ZoneState zone : unsound) {
      for (Message message :
          List.of(
              new MembershipMessage.ReplicateZone(zone),
              new MembershipMessage.TransferLeadership(zone))) {
        Step<OverlayState> step = OverlayFixtures.receive(overlay, state, OTHER, message);
        assertThat(OverlayFixtures.counted(step, "overlay-invalid-zone-state")).isOne();
        assertThat(step.state()).isEqualTo(state);
      }
    }
  }

  @Test
  void aZoneIsTakenOverFromWhoLedIt() {
    OverlayState state = OverlayFixtures.state(OverlayFixtures.emptyEpoch());
    ZoneState zone = lowest(new ClusterEntry(LOW, List.of(SELF, OTHER), List.of()));
    Step<OverlayState> step =
        OverlayFixtures.receive(
            overlay, state, OTHER, new MembershipMessage.TransferLeadership(zone));
    assertThat(step.state().builtZones()).containsOnlyKeys(LOWEST);
  }

  @Test
  void sizesThatOthersInventDoNotOverflow() {
    ClusterDescriptor huge =
        new ClusterDescriptor(1, OTHER, OWN, List.of(OTHER), Integer.MAX_VALUE, LOWEST);
    ZoneState zone =
        OverlayFixtures.zoneState(2, new ClusterEntry(HIGH, List.of(), List.of(huge, huge)), SELF);
    assertThat(ClusterPlacement.repairReplicas(zone, 3).descriptors())
        .singleElement()
        .extracting(ClusterDescriptor::size)
        .isEqualTo(Integer.MAX_VALUE);
  }
}
