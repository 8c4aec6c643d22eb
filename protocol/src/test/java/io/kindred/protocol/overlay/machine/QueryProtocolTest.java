package io.kindred.protocol.overlay.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Queries of a peer that has no home cluster. */
class QueryProtocolTest {
  private static final PeerId HOLDER = ElectionsTest.OTHER;
  private static final long NUMBER = 7;
  private static final Signature SIGNATURE =
      Signature.of(4, Precision.FLOAT32, Ints.of(0, 2), Floats.of(1, 2));
  private static final Event SIGNED =
      new Event.Notified(
          1, Component.METHOD, new OverlayLocalMessage.SignatureUpdated(SIGNATURE, 2));
  private static final Event SEARCH =
      new Event.Notified(
          2,
          Component.METHOD,
          new OverlayLocalMessage.Search(
              NUMBER, 3, new SearchRule(8, SearchRule.BeamScope.NODE, 0), false));
  private static final Event UNANSWERED =
      new Event.TimerFired(3, new Timer("overlay-unanswered", NUMBER));

  private static Overlay overlay(MaintenanceSettings maintenance) {
    return ElectionsTest.overlay(ElectionsTest.SETTINGS.with(maintenance));
  }

  private static Step<OverlayState> asked(Overlay overlay) {
    OverlayState back =
        overlay.step(overlay.initial(), new Event.Restored(0, List.of(HOLDER))).state();
    return overlay.step(overlay.step(back, SIGNED).state(), SEARCH);
  }

  private static boolean isAnswered(Step<OverlayState> step) {
    return step.effects().stream()
        .anyMatch(each -> each instanceof Effect.Notify(_, OverlayLocalMessage.SearchFinished _));
  }

  private static OverlayState withAPlace(OverlayState state) {
    EpochState epoch =
        OverlayFixtures.inHomeCluster(
            EpochState.empty(ElectionsTest.BEFORE, 0),
            new ClusterId(new ZoneId(1, 1, HOLDER), 0),
            HOLDER);
    return new OverlayState(
        new TreeMap<>(Map.of(epoch.epoch(), epoch)),
        state.localSignature(),
        state.status(),
        state.search());
  }

  private static long sent(Step<OverlayState> step) {
    return step.effects().stream()
        .filter(
            each ->
                each instanceof Effect.Send(PeerId to, SearchMessage.QueryAscent _)
                    && to.equals(HOLDER))
        .count();
  }

  @Test
  void noPeerWaitsForAPlaceInAnOverlayWithoutMaintenance() {
    assertThat(isAnswered(asked(overlay(MaintenanceSettings.DISABLED)))).isTrue();
  }

  @Test
  void aPeerThatLooksForAPlaceWaitsInsteadOfGoingAheadAlone() {
    Overlay overlay = overlay(MaintenanceSettings.DISABLED.withLease(0.5));
    Step<OverlayState> step = asked(overlay);
    for (int time = 0; time < 2; time++) {
      assertThat(isAnswered(step)).isFalse();
      step = overlay.step(step.state(), UNANSWERED);
    }
    assertThat(isAnswered(step)).isFalse();
    assertThat(isAnswered(overlay.step(step.state(), UNANSWERED))).isTrue();
  }

  @Test
  void itAsksOnceAsSoonAsItHasAPlace() {
    Overlay overlay = overlay(MaintenanceSettings.DISABLED.withLease(0.5));
    Step<OverlayState> waiting = asked(overlay);
    assertThat(sent(waiting)).isZero();
    Event any = new Event.NeighboursChanged(3, List.of(HOLDER));
    Step<OverlayState> placed = overlay.step(withAPlace(waiting.state()), any);
    assertThat(sent(placed)).isOne();
    assertThat(sent(overlay.step(placed.state(), any))).isZero();
  }
}
