package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.OWN;
import static io.kindred.protocol.overlay.Scenes.SELF;
import static io.kindred.protocol.overlay.Scenes.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Message;
import io.kindred.core.peer.Step;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branches;
import io.kindred.protocol.overlay.SearchMessage.Compared;
import io.kindred.protocol.overlay.SearchMessage.Found;
import io.kindred.protocol.overlay.SearchMessage.Query;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.Rising;
import io.kindred.protocol.overlay.SearchMessage.Sought;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of queries and answers that come more than once or too late. */
class RepeatedQueriesTest {
  private static final QueryId ID = new QueryId(THIRD, 1);
  private static final Tally TALLY = new Tally(1, 1, 1, 1);

  private final Overlay overlay = Scenes.overlay(LifeRule.NONE);

  private static Sought sought(SearchRule.Reading reading) {
    return new Sought(ID, OWN, 1, new SearchRule(8, reading, 0));
  }

  private static Query query(ClusterDescriptor cluster, int attempt) {
    return new Query(sought(SearchRule.Reading.NODE), cluster.id(), 0, attempt, 9);
  }

  @Test
  void aQueryThatComesTwiceIsAnsweredOnce() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of(OTHER))));
    OverlayState waiting = Scenes.receive(overlay, state, THIRD, query(cluster, 0)).state();
    Step<OverlayState> again = Scenes.receive(overlay, waiting, THIRD, query(cluster, 0));
    assertThat(Scenes.counted(again, "overlay-query-repeated")).isOne();
    assertThat(Scenes.sent(again, THIRD)).isEmpty();
    assertThat(again.state()).isEqualTo(waiting);
    Answer nothing = new Answer(ID, cluster.id(), 1, List.of(), Tally.NOTHING);
    assertThat(Scenes.sent(Scenes.receive(overlay, waiting, THIRD, query(cluster, 1)), THIRD))
        .containsExactly(nothing);
  }

  /** Expects that one that came before is passed over in silence. */
  private static void assertSilent(Overlay overlay, OverlayState state, Message message) {
    Step<OverlayState> again = Scenes.receive(overlay, state, THIRD, message);
    assertThat(Scenes.counted(again, "overlay-query-repeated")).isOne();
    assertThat(again.effects()).hasSize(1);
    assertThat(again.state()).isEqualTo(state);
  }

  @Test
  void aQueryThatComesAgainAfterItsAnswerIsNotAnsweredWithNothing() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of(OTHER))));
    OverlayState waiting = Scenes.receive(overlay, state, THIRD, query(cluster, 0)).state();
    Step<OverlayState> answered =
        Scenes.receive(overlay, waiting, OTHER, new Compared(ID, cluster.id(), 1));
    assertThat(Scenes.sent(answered, THIRD)).hasSize(1);
    assertSilent(overlay, answered.state(), query(cluster, 0));
    assertThat(
            Scenes.sent(Scenes.receive(overlay, answered.state(), OTHER, query(cluster, 0)), OTHER))
        .as("somebody else waits for an answer too")
        .containsExactly(new Answer(ID, cluster.id(), 0, List.of(), Tally.NOTHING));
    assertThat(
            Scenes.sent(Scenes.receive(overlay, answered.state(), THIRD, query(cluster, 1)), THIRD))
        .containsExactly(new Answer(ID, cluster.id(), 1, List.of(), Tally.NOTHING));
  }

  @Test
  void aQueryThatWasPassedOnGoesDownOnceAnAttempt() {
    ClusterDescriptor below = Scenes.cluster(Scenes.zone(1, OTHER), OWN, OTHER);
    ClusterDescriptor above = Scenes.cluster(Scenes.zone(2, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(above, List.of(), below)));
    for (int attempt = 0; attempt < 2; attempt++) {
      Step<OverlayState> passed = Scenes.receive(overlay, state, THIRD, query(above, attempt));
      assertThat(Scenes.sent(passed, OTHER)).hasSize(1);
      Answer answer = new Answer(ID, below.id(), attempt, List.of(), TALLY);
      Step<OverlayState> answered = Scenes.receive(overlay, passed.state(), OTHER, answer);
      assertThat(Scenes.sent(answered, THIRD)).hasSize(1);
      state = answered.state();
      assertSilent(overlay, state, query(above, attempt));
    }
    assertSilent(overlay, state, query(above, 0));
  }

  @Test
  void aPeerThatIsBusyDoesNotRefuseWhatItHasAnswered() {
    Overlay busy = Scenes.overlay(new LifeRule(0.5, 5, 0, 1, 0.2));
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of(OTHER))));
    state = Scenes.receive(busy, state, THIRD, query(cluster, 0)).state();
    state = Scenes.receive(busy, state, OTHER, new Compared(ID, cluster.id(), 1)).state();
    Sought next = new Sought(new QueryId(THIRD, 2), OWN, 1, Scenes.RULE);
    state = Scenes.receive(busy, state, THIRD, new Query(next, cluster.id(), 0, 0, 9)).state();
    assertSilent(busy, state, query(cluster, 0));
    assertThat(Scenes.sent(Scenes.receive(busy, state, OTHER, query(cluster, 0)), OTHER))
        .as("others are told to ask elsewhere")
        .containsExactly(new Refusal(query(cluster, 0)));
  }

  @Test
  void howManyQueriesAreKnownAgainIsBounded() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, SELF);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of())));
    for (int number = 0; number < 300; number++) {
      Sought sought = new Sought(new QueryId(THIRD, number), OWN, 1, Scenes.RULE);
      Rising rising = new Rising(sought, cluster.id(), Optional.of(0.5));
      state = Scenes.receive(overlay, state, THIRD, rising).state();
    }
    assertThat(state.desk().entries()).isEmpty();
    assertThat(state.desk().seen()).hasSize(256);
    assertThat(state.desk().led()).hasSize(256).last().isEqualTo(new QueryId(THIRD, 299));
  }

  @Test
  void aQueryIsLedOnce() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, OTHER);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of())));
    Rising rising = new Rising(sought(SearchRule.Reading.NODE), cluster.id(), Optional.of(0.5));
    OverlayState asked = Scenes.receive(overlay, state, THIRD, rising).state();
    Answer answer = new Answer(ID, cluster.id(), 0, List.of(new Candidate(OTHER, 1)), TALLY);
    Step<OverlayState> found = Scenes.receive(overlay, asked, OTHER, answer);
    assertThat(Scenes.sent(found, THIRD)).hasSize(1);
    assertSilent(overlay, found.state(), rising);
    Overlay busy = Scenes.overlay(new LifeRule(0.5, 5, 0, 1, 0.2));
    assertSilent(busy, asked, rising);
  }

  @Test
  void anAnswerToAnotherAttemptIsNotTakenForOneToThis() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(1, OTHER), OWN, OTHER);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of())));
    Rising rising = new Rising(sought(SearchRule.Reading.NODE), cluster.id(), Optional.of(0.5));
    OverlayState asked = Scenes.receive(overlay, state, THIRD, rising).state();
    List<Candidate> found = List.of(new Candidate(OTHER, 1));
    Answer late = new Answer(ID, cluster.id(), 1, found, TALLY);
    assertThat(Scenes.receive(overlay, asked, OTHER, late).state()).isEqualTo(asked);
    Answer right = new Answer(ID, cluster.id(), 0, found, TALLY);
    assertThat(Scenes.sent(Scenes.receive(overlay, asked, OTHER, right), THIRD))
        .singleElement()
        .isInstanceOfSatisfying(
            Found.class, each -> assertThat(each.candidates()).isEqualTo(found));
  }

  @Test
  void branchesOfAnotherAttemptAreNotTakenForThoseOfThis() {
    ClusterDescriptor cluster = Scenes.cluster(Scenes.zone(2, OTHER), OWN, OTHER);
    OverlayState state = Scenes.state(Scenes.holding(Scenes.top(cluster, List.of())));
    Rising rising = new Rising(sought(SearchRule.Reading.LEVEL), cluster.id(), Optional.of(0.5));
    OverlayState asked = Scenes.receive(overlay, state, THIRD, rising).state();
    Branches late = new Branches(ID, cluster.id(), 1, List.of(), TALLY);
    assertThat(Scenes.receive(overlay, asked, OTHER, late).state()).isEqualTo(asked);
    Branches right = new Branches(ID, cluster.id(), 0, List.of(), TALLY);
    assertThat(Scenes.sent(Scenes.receive(overlay, asked, OTHER, right), THIRD)).hasSize(1);
  }
}
