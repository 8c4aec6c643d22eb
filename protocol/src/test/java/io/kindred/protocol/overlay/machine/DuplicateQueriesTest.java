package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.OWN;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.Step;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.SearchRule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Queries and results that arrive more than once or too late. */
class DuplicateQueriesTest {
  private static final QueryId ID = new QueryId(THIRD, 1);
  private static final SearchCost TALLY = new SearchCost(1, 1, 1, 1);

  private final Overlay overlay = OverlayFixtures.overlay(MaintenanceSettings.DISABLED);

  private static QuerySpec sought(SearchRule.BeamScope beamScope) {
    return new QuerySpec(ID, 0, OWN, 1, new SearchRule(8, beamScope, 0));
  }

  private static QueryDescent query(ClusterDescriptor cluster, int attempt) {
    return new QueryDescent(sought(SearchRule.BeamScope.NODE), cluster.id(), 0, attempt);
  }

  @Test
  void aQueryThatComesTwiceIsAnsweredOnce() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(OTHER))));
    OverlayState waiting =
        OverlayFixtures.receive(overlay, state, THIRD, query(cluster, 0)).state();
    Step<OverlayState> again = OverlayFixtures.receive(overlay, waiting, THIRD, query(cluster, 0));
    assertThat(OverlayFixtures.counted(again, "overlay-query-repeated")).isOne();
    assertThat(OverlayFixtures.sent(again, THIRD)).isEmpty();
    assertThat(again.state()).isEqualTo(waiting);
  }

  /** Expects that a duplicate is counted and otherwise ignored. */
  private static void assertSilent(Overlay overlay, OverlayState state, Message message) {
    Step<OverlayState> again = OverlayFixtures.receive(overlay, state, THIRD, message);
    assertThat(OverlayFixtures.counted(again, "overlay-query-repeated")).isOne();
    assertThat(again.effects()).hasSize(1);
    assertThat(again.state()).isEqualTo(state);
  }

  @Test
  void aQueryThatComesAgainAfterItsAnswerIsNotAnsweredWithNothing() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(OTHER))));
    OverlayState waiting =
        OverlayFixtures.receive(overlay, state, THIRD, query(cluster, 0)).state();
    Step<OverlayState> answered =
        OverlayFixtures.receive(overlay, waiting, OTHER, new CompareReply(ID, cluster.id(), 1));
    assertThat(OverlayFixtures.sent(answered, THIRD)).hasSize(1);
    assertSilent(overlay, answered.state(), query(cluster, 0));
    SearchCost free = SearchCost.ZERO;
    List<Candidate> found = List.of(new Candidate(OTHER, 1));
    assertThat(
            OverlayFixtures.sent(
                OverlayFixtures.receive(overlay, answered.state(), OTHER, query(cluster, 0)),
                OTHER))
        .as("another peer waits for an answer too")
        .containsExactly(new SubtreeResult(ID, cluster.id(), 0, found, free));
    assertThat(
            OverlayFixtures.sent(
                OverlayFixtures.receive(overlay, answered.state(), THIRD, query(cluster, 1)),
                THIRD))
        .as("the first answer may have been lost")
        .containsExactly(new SubtreeResult(ID, cluster.id(), 1, found, free));
  }

  @Test
  void aQueryThatWasPassedOnGoesDownOnceAnAttempt() {
    ClusterDescriptor below = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, OTHER);
    ClusterDescriptor above = OverlayFixtures.cluster(OverlayFixtures.zone(2, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(above, List.of(), below)));
    for (int attempt = 0; attempt < 2; attempt++) {
      Step<OverlayState> passed =
          OverlayFixtures.receive(overlay, state, THIRD, query(above, attempt));
      assertThat(OverlayFixtures.sent(passed, OTHER)).hasSize(1);
      SubtreeResult subtreeResult = new SubtreeResult(ID, below.id(), attempt, List.of(), TALLY);
      Step<OverlayState> answered =
          OverlayFixtures.receive(overlay, passed.state(), OTHER, subtreeResult);
      assertThat(OverlayFixtures.sent(answered, THIRD)).hasSize(1);
      state = answered.state();
      assertSilent(overlay, state, query(above, attempt));
    }
    assertSilent(overlay, state, query(above, 0));
  }

  @Test
  void aPeerThatIsBusyDoesNotRefuseWhatItHasAnswered() {
    Overlay busy = OverlayFixtures.overlay(new MaintenanceSettings(0.5, 5, 0, 1, 0.2));
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(OTHER))));
    state = OverlayFixtures.receive(busy, state, THIRD, query(cluster, 0)).state();
    state =
        OverlayFixtures.receive(busy, state, OTHER, new CompareReply(ID, cluster.id(), 1)).state();
    QuerySpec next = new QuerySpec(new QueryId(THIRD, 2), 0, OWN, 1, OverlayFixtures.RULE);
    state =
        OverlayFixtures.receive(busy, state, THIRD, new QueryDescent(next, cluster.id(), 0, 0))
            .state();
    assertSilent(busy, state, query(cluster, 0));
    assertThat(
            OverlayFixtures.sent(
                OverlayFixtures.receive(busy, state, OTHER, query(cluster, 0)), OTHER))
        .as("others are told to ask elsewhere")
        .containsExactly(new Refusal(query(cluster, 0)));
  }

  @Test
  void howManyQueriesAreKnownAgainIsBounded() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of())));
    for (int number = 0; number < 300; number++) {
      QuerySpec querySpec =
          new QuerySpec(new QueryId(THIRD, number), 0, OWN, 1, OverlayFixtures.RULE);
      QueryAscent queryAscent = new QueryAscent(querySpec, cluster.id(), Optional.of(0.5));
      state = OverlayFixtures.receive(overlay, state, THIRD, queryAscent).state();
    }
    assertThat(state.search().queries().rootSearches()).isEmpty();
    assertThat(state.search().queries().processed()).hasSize(256);
    assertThat(state.search().queries().finished())
        .hasSize(256)
        .last()
        .isEqualTo(new QueryId(THIRD, 299));
  }

  @Test
  void aQueryIsLedOnce() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, OTHER);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of())));
    QueryAscent queryAscent =
        new QueryAscent(sought(SearchRule.BeamScope.NODE), cluster.id(), Optional.of(0.5));
    OverlayState asked = OverlayFixtures.receive(overlay, state, THIRD, queryAscent).state();
    SubtreeResult subtreeResult =
        new SubtreeResult(ID, cluster.id(), 0, List.of(new Candidate(OTHER, 1)), TALLY);
    Step<OverlayState> found = OverlayFixtures.receive(overlay, asked, OTHER, subtreeResult);
    assertThat(OverlayFixtures.sent(found, THIRD)).hasSize(1);
    assertSilent(overlay, found.state(), queryAscent);
    Overlay busy = OverlayFixtures.overlay(new MaintenanceSettings(0.5, 5, 0, 1, 0.2));
    assertSilent(busy, asked, queryAscent);
  }

  @Test
  void anAnswerToAnotherAttemptIsNotTakenForOneToThis() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, OTHER);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of())));
    QueryAscent queryAscent =
        new QueryAscent(sought(SearchRule.BeamScope.NODE), cluster.id(), Optional.of(0.5));
    OverlayState asked = OverlayFixtures.receive(overlay, state, THIRD, queryAscent).state();
    List<Candidate> found = List.of(new Candidate(OTHER, 1));
    SubtreeResult late = new SubtreeResult(ID, cluster.id(), 1, found, TALLY);
    assertThat(OverlayFixtures.receive(overlay, asked, OTHER, late).state()).isEqualTo(asked);
    SubtreeResult right = new SubtreeResult(ID, cluster.id(), 0, found, TALLY);
    assertThat(OverlayFixtures.sent(OverlayFixtures.receive(overlay, asked, OTHER, right), THIRD))
        .singleElement()
        .isInstanceOfSatisfying(
            SearchReply.class, each -> assertThat(each.candidates()).isEqualTo(found));
  }

  @Test
  void branchesOfAnotherAttemptAreNotTakenForThoseOfThis() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(2, OTHER), OWN, OTHER);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of())));
    QueryAscent queryAscent =
        new QueryAscent(sought(SearchRule.BeamScope.LEVEL), cluster.id(), Optional.of(0.5));
    OverlayState asked = OverlayFixtures.receive(overlay, state, THIRD, queryAscent).state();
    ChildScores late = new ChildScores(ID, cluster.id(), 1, List.of(), TALLY);
    assertThat(OverlayFixtures.receive(overlay, asked, OTHER, late).state()).isEqualTo(asked);
    ChildScores right = new ChildScores(ID, cluster.id(), 0, List.of(), TALLY);
    assertThat(OverlayFixtures.sent(OverlayFixtures.receive(overlay, asked, OTHER, right), THIRD))
        .hasSize(1);
  }
}
