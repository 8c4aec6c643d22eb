package io.kindred.protocol.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.signatures.Precision;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of a query of a peer that has no place in the overlay. */
class QueriesTest {
  private static final PeerId HOLDER = ElectionsTest.OTHER;
  private static final long NUMBER = 7;
  private static final Signature SIGNATURE =
      Signature.of(4, Precision.FLOAT32, Ints.of(0, 2), Floats.of(1, 2));
  private static final Event SIGNED =
      new Event.Told(1, Component.METHOD, new OverlayNote.Signed(SIGNATURE, 2));
  private static final Event SEARCH =
      new Event.Told(
          2,
          Component.METHOD,
          new OverlayNote.Search(NUMBER, 3, new SearchRule(8, SearchRule.Reading.NODE, 0), false));
  private static final Event UNANSWERED =
      new Event.TimerFired(3, new Timer(Queries.UNANSWERED, NUMBER));

  private static Overlay overlay(LifeRule life) {
    return ElectionsTest.overlay(ElectionsTest.SETTINGS.with(life));
  }

  private static Step<OverlayState> asked(Overlay overlay) {
    OverlayState back =
        overlay.step(overlay.initial(), new Event.Restored(0, List.of(HOLDER))).state();
    return overlay.step(overlay.step(back, SIGNED).state(), SEARCH);
  }

  private static boolean isAnswered(Step<OverlayState> step) {
    return step.effects().stream()
        .anyMatch(each -> each instanceof Effect.Tell(_, OverlayNote.Searched _));
  }

  private static OverlayState withAPlace(OverlayState state) {
    Era era =
        Era.blank(ElectionsTest.BEFORE, 0)
            .with(
                new Era.Place(
                    new TreeMap<>(),
                    Optional.of(
                        new Seat.Pointer(
                            new ClusterId(new ZoneId(1, 1, HOLDER), 0), List.of(HOLDER))),
                    Optional.of(2),
                    List.of()));
    return new OverlayState(
        new TreeMap<>(Map.of(era.number(), era)), state.own(), state.desk(), state.standing());
  }

  private static long sent(Step<OverlayState> step) {
    return step.effects().stream()
        .filter(
            each ->
                each instanceof Effect.Send(PeerId to, SearchMessage.Rising _) && to.equals(HOLDER))
        .count();
  }

  @Test
  void nobodyWaitsForAPlaceInAnOverlayThatStaysAsItWasBuilt() {
    assertThat(isAnswered(asked(overlay(LifeRule.NONE)))).isTrue();
  }

  @Test
  void aPeerThatLooksForAPlaceWaitsInsteadOfGoingAheadAlone() {
    Overlay overlay = overlay(LifeRule.NONE.with(0.5));
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
    Overlay overlay = overlay(LifeRule.NONE.with(0.5));
    Step<OverlayState> waiting = asked(overlay);
    assertThat(sent(waiting)).isZero();
    Event any = new Event.NeighboursChanged(3, List.of(HOLDER));
    Step<OverlayState> placed = overlay.step(withAPlace(waiting.state()), any);
    assertThat(sent(placed)).isOne();
    assertThat(sent(overlay.step(placed.state(), any))).isZero();
  }
}
