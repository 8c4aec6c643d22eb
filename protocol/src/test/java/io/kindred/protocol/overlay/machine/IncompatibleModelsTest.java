package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signatures of another model than the peer's own. */
class IncompatibleModelsTest {
  private static final Signature SHORTER = OverlayFixtures.signature(3);
  private static final Signature HUGE = OverlayFixtures.signature(Integer.MAX_VALUE - 1);

  private final Overlay overlay = OverlayFixtures.overlay(OverlayFixtures.MAINTAINED);

  private static ClusterSignatures.Clustered clustered(Step<OverlayState> step) {
    Effect.Compute work =
        (Effect.Compute)
            step.effects().stream().filter(Effect.Compute.class::isInstance).findFirst().get();
    return (ClusterSignatures.Clustered) ((Ticket.Call) work.work()).function().apply();
  }

  @Test
  void whoSendsASignatureOfAnotherModelIsLeftOutOfTheZone() {
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.formingZone(1, ZoneFormation.Stage.COLLECTING, SELF, OTHER, THIRD));
    ZoneId zone = OverlayFixtures.zone(1, SELF);
    state =
        OverlayFixtures.receive(overlay, state, OTHER, new SignatureReply(zone, SHORTER, 2))
            .state();
    state =
        OverlayFixtures.receive(overlay, state, THIRD, new SignatureReply(zone, OWN, 2)).state();
    Step<OverlayState> step =
        OverlayFixtures.receive(overlay, state, SELF, new SignatureReply(zone, OWN, 2));
    assertThat(OverlayFixtures.counted(step, SubProtocolStep.OTHER_MODEL)).isOne();
    assertThat(clustered(step).prototypes()).containsExactly(OWN);
    assertThat(step.state().ledZones().get(zone)).containsExactly(SELF, THIRD);
  }

  private static ClusterReport contribution(PeerId from, Signature prototype) {
    ZoneId below = OverlayFixtures.zone(1, from);
    return new ClusterReport(
        OverlayFixtures.zone(2, SELF),
        below,
        1,
        List.of(OverlayFixtures.cluster(below, prototype, from)),
        QuantileSketch.empty());
  }

  @Test
  void clustersOfAnotherModelAreLeftOutOfTheZoneAbove() {
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.formingZone(2, ZoneFormation.Stage.COLLECTING, SELF, OTHER, THIRD));
    state = OverlayFixtures.receive(overlay, state, OTHER, contribution(OTHER, HUGE)).state();
    state = OverlayFixtures.receive(overlay, state, THIRD, contribution(THIRD, OWN)).state();
    Step<OverlayState> step =
        OverlayFixtures.receive(overlay, state, SELF, contribution(SELF, OWN));
    assertThat(OverlayFixtures.counted(step, SubProtocolStep.OTHER_MODEL)).isOne();
    assertThat(OverlayFixtures.sent(step, OTHER)).isEmpty();
    assertThat(OverlayFixtures.sent(step, THIRD)).isNotEmpty();
  }

  @Test
  void clustersOfAnotherModelDoNotJoinAZoneThatIsBuilt() {
    ClusterDescriptor child = OverlayFixtures.cluster(OverlayFixtures.zone(1, SELF), OWN, SELF);
    ClusterEntry cluster =
        new ClusterEntry(
            OverlayFixtures.cluster(OverlayFixtures.zone(2, SELF), OWN, SELF),
            List.of(),
            List.of(child));
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.leadingZone(OverlayFixtures.zoneState(2, cluster, SELF)));
    Step<OverlayState> step =
        OverlayFixtures.receive(overlay, state, OTHER, contribution(OTHER, HUGE));
    assertThat(OverlayFixtures.counted(step, SubProtocolStep.OTHER_MODEL)).isOne();
    assertThat(step.state()).isEqualTo(state);
  }

  @Test
  void aQueryForAnotherModelFindsNothing() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(SELF))));
    SearchMessage.QuerySpec querySpec =
        new SearchMessage.QuerySpec(new QueryId(OTHER, 1), 0, HUGE, 3, OverlayFixtures.RULE);
    Step<OverlayState> step =
        OverlayFixtures.receive(
            overlay,
            state,
            OTHER,
            new SearchMessage.QueryAscent(querySpec, cluster.id(), Optional.empty()));
    assertThat(OverlayFixtures.sent(step, OTHER))
        .singleElement()
        .isInstanceOfSatisfying(
            SearchMessage.SearchReply.class,
            searchReply -> assertThat(searchReply.candidates()).isEmpty());
  }
}
