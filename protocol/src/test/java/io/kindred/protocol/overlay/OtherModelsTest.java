package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.OWN;
import static io.kindred.protocol.overlay.Scenes.SELF;
import static io.kindred.protocol.overlay.Scenes.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Effect;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterSignatures;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.Contribution;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of signatures of another model than the own one. */
class OtherModelsTest {
  private static final Signature SHORTER = Scenes.signature(3);
  private static final Signature HUGE = Scenes.signature(Integer.MAX_VALUE - 1);

  private final Overlay overlay = Scenes.overlay(Scenes.LIVING);

  private static ClusterSignatures.Clustered clustered(Step<OverlayState> step) {
    Effect.Compute work =
        (Effect.Compute)
            step.effects().stream().filter(Effect.Compute.class::isInstance).findFirst().get();
    return (ClusterSignatures.Clustered) ((Ticket.Call) work.work()).function().apply();
  }

  @Test
  void whoSendsASignatureOfAnotherModelIsLeftOutOfTheZone() {
    OverlayState state = Scenes.state(Scenes.leading(1, Lead.Stage.COLLECTING, SELF, OTHER, THIRD));
    ZoneId zone = Scenes.zone(1, SELF);
    state = Scenes.receive(overlay, state, OTHER, new SignatureReply(zone, SHORTER, 2)).state();
    state = Scenes.receive(overlay, state, THIRD, new SignatureReply(zone, OWN, 2)).state();
    Step<OverlayState> step =
        Scenes.receive(overlay, state, SELF, new SignatureReply(zone, OWN, 2));
    assertThat(Scenes.counted(step, Clusters.OTHER_MODEL)).isOne();
    assertThat(clustered(step).prototypes()).containsExactly(OWN);
    assertThat(step.state().led().get(zone)).containsExactly(SELF, THIRD);
  }

  private static Contribution contribution(PeerId from, Signature prototype) {
    ZoneId below = Scenes.zone(1, from);
    return new Contribution(
        Scenes.zone(2, SELF),
        below,
        1,
        List.of(Scenes.cluster(below, prototype, from)),
        QuantileSketch.empty());
  }

  @Test
  void clustersOfAnotherModelAreLeftOutOfTheZoneAbove() {
    OverlayState state = Scenes.state(Scenes.leading(2, Lead.Stage.COLLECTING, SELF, OTHER, THIRD));
    state = Scenes.receive(overlay, state, OTHER, contribution(OTHER, HUGE)).state();
    state = Scenes.receive(overlay, state, THIRD, contribution(THIRD, OWN)).state();
    Step<OverlayState> step = Scenes.receive(overlay, state, SELF, contribution(SELF, OWN));
    assertThat(Scenes.counted(step, Clusters.OTHER_MODEL)).isOne();
    assertThat(Scenes.sent(step, OTHER)).isEmpty();
    assertThat(Scenes.sent(step, THIRD)).isNotEmpty();
  }

  @Test
  void clustersOfAnotherModelDoNotJoinAZoneThatIsBuilt() {
    ClusterDescriptor child = Scenes.cluster(Scenes.zone(1, SELF), OWN, SELF);
    Held held =
        new Held(Scenes.cluster(Scenes.zone(2, SELF), OWN, SELF), List.of(), List.of(child));
    OverlayState state = Scenes.state(Scenes.tending(Scenes.ward(2, held, SELF)));
    Step<OverlayState> step = Scenes.receive(overlay, state, OTHER, contribution(OTHER, HUGE));
    assertThat(Scenes.counted(step, Clusters.OTHER_MODEL)).isOne();
    assertThat(step.state()).isEqualTo(state);
  }

  @Test
  void aQueryForAnotherModelFindsNothing() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of(SELF))));
    SearchMessage.Sought sought =
        new SearchMessage.Sought(new QueryId(OTHER, 1), HUGE, 3, Scenes.RULE);
    Step<OverlayState> step =
        Scenes.receive(
            overlay,
            state,
            OTHER,
            new SearchMessage.Rising(sought, cluster.id(), Optional.empty()));
    assertThat(Scenes.sent(step, OTHER))
        .singleElement()
        .isInstanceOfSatisfying(
            SearchMessage.Found.class, found -> assertThat(found.candidates()).isEmpty());
  }
}
