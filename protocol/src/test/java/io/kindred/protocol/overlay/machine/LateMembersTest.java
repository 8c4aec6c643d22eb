package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.MAINTAINED;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.clustering.ClusteringState;
import io.kindred.protocol.overlay.clustering.ZoneInputs;
import io.kindred.protocol.overlay.clustering.ZoneInputs.ClusteringInput;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
import io.kindred.protocol.overlay.membership.LocalStatus;
import io.kindred.protocol.signature.QuantileSketch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Peers that become members of a zone after the overlay was built. */
class LateMembersTest {
  private final Overlay overlay = OverlayFixtures.overlay(MAINTAINED);

  private static Timer collectTimeout(int level) {
    return new Timer("overlay-collect-timeout", 256 + level);
  }

  /** The root zone, on level 2, of a peer that has no other zone beside it. */
  private static OverlayState rootZone() {
    ZoneId below = OverlayFixtures.zone(1, SELF);
    ClusterDescriptor child = OverlayFixtures.cluster(below, OWN, SELF);
    EpochState epoch = OverlayFixtures.formingZone(2, Stage.ROOT, SELF);
    ZoneInputs inputs =
        new ZoneInputs(
            new TreeMap<>(
                Map.of(
                    SELF,
                    new ClusteringInput(Optional.empty(), List.of(child), QuantileSketch.of(2)))),
            QuantileSketch.empty(),
            Optional.empty());
    return OverlayFixtures.state(
        epoch.with(
            new ClusteringState(
                new TreeMap<>(Map.of(2, inputs)), new TreeMap<>(), List.of(), Optional.empty())));
  }

  @Test
  void aRootZoneDoesNotWaitForeverForAMemberThatCrashes() {
    Bytes proof = ElectionsTest.proof(OTHER, ElectionsTest.BEFORE);
    Step<OverlayState> step =
        OverlayFixtures.receive(
            overlay,
            rootZone(),
            OTHER,
            new OverlayMessage.ZoneJoinRequest(OverlayFixtures.zone(2, SELF), 1, proof));
    assertThat(OverlayFixtures.sent(step, OTHER))
        .containsExactly(
            new OverlayMessage.ZoneJoinReply(OverlayFixtures.zone(2, SELF), true),
            new OverlayMessage.SignatureProbe(OverlayFixtures.zone(2, SELF)));
    for (Stage stage : List.of(Stage.COLLECTING, Stage.COLLECTING_AGAIN)) {
      assertThat(formation(step).stage()).isEqualTo(stage);
      assertThat(step.effects())
          .anyMatch(
              each -> each instanceof Effect.SetTimer set && set.timer().equals(collectTimeout(2)));
      step = overlay.step(step.state(), new Event.TimerFired(2, collectTimeout(2)));
    }
    assertThat(OverlayFixtures.counted(step, "overlay-left-out")).isOne();
    assertThat(formation(step).stage()).isEqualTo(Stage.ROOT);
    assertThat(formation(step).members()).containsOnlyKeys(SELF);
  }

  private static ZoneFormation formation(Step<OverlayState> step) {
    EpochState epoch = Objects.requireNonNull(step.state().epochs().get(1L));
    return Objects.requireNonNull(epoch.formation().formingZones().get(2));
  }

  @Test
  void aPeerThatSeeksAZoneIsReadyHoweverItsClusterReachesIt() {
    ZoneId zone = OverlayFixtures.zone(1, OTHER);
    ClusterId home = new ClusterId(zone, 0);
    EpochState built = OverlayFixtures.emptyEpoch();
    OverlayState seeking = OverlayFixtures.state(built.with(built.membership().withEntries(2)));
    OverlayState state =
        new OverlayState(
            seeking.epochs(),
            seeking.localSignature(),
            new LocalStatus(List.of(), 0, 0, List.of(), Optional.empty(), false),
            seeking.search());
    Step<OverlayState> step =
        OverlayFixtures.receive(
            overlay,
            state,
            OTHER,
            new OverlayMessage.HomeClusterAssigned(home, List.of(OTHER, THIRD)));
    assertThat(step.effects())
        .containsExactly(new Effect.Notify(Component.METHOD, new OverlayLocalMessage.Ready(1, 2)));
    assertThat(step.state().status().joiningSince()).isNegative();
    Step<OverlayState> again =
        OverlayFixtures.receive(
            overlay,
            step.state(),
            OTHER,
            new OverlayMessage.HomeClusterAssigned(home, List.of(OTHER)));
    assertThat(again.effects()).as("the method is notified once").isEmpty();
  }
}
