package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.OWN;
import static io.kindred.protocol.overlay.Scenes.SELF;
import static io.kindred.protocol.overlay.Scenes.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Step;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branches;
import io.kindred.protocol.overlay.SearchMessage.Found;
import io.kindred.protocol.overlay.SearchMessage.Query;
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
