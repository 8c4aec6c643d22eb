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
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.search.RootSearch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers to a query count only if their sender was asked, and late ones still count. */
class AskedPeersTest {
  private static final PeerId STRANGER = new PeerId(9);
  private static final QueryId ID = new QueryId(THIRD, 1);
  private static final SearchCost COST = new SearchCost(1, 1, 1, 1);
  private static final List<Candidate> FOUND = List.of(new Candidate(OTHER, 1));

  private final Overlay overlay = OverlayFixtures.overlay(MAINTAINED);

  private static QuerySpec spec(SearchRule.BeamScope scope, int wanted) {
    return new QuerySpec(ID, 5, OWN, wanted, new SearchRule(8, scope, 0));
  }

  /** This peer leads the search of one root cluster, which {@code OTHER} holds. */
  private Step<OverlayState> leading(int level, SearchRule.BeamScope scope) {
    ClusterDescriptor cluster =
        OverlayFixtures.cluster(OverlayFixtures.zone(level, OTHER), OWN, OTHER);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of())));
    return OverlayFixtures.receive(
        overlay, state, THIRD, new QueryAscent(spec(scope, 2), cluster.id(), Optional.of(0.5)));
  }

  private static ClusterDescriptor led(Step<OverlayState> step) {
    return step.state().position().heldReplicas().values().iterator().next().descriptor();
  }

  private static Timer searchTimer(Step<OverlayState> step) {
    return step.effects().stream()
        .filter(Effect.SetTimer.class::isInstance)
        .map(each -> ((Effect.SetTimer) each).timer())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theResultOfASubtreeCountsOnlyFromAReplica() {
    Step<OverlayState> asked = leading(1, SearchRule.BeamScope.NODE);
    SubtreeResult result = new SubtreeResult(ID, led(asked).id(), 0, FOUND, COST);
    Step<OverlayState> forged = OverlayFixtures.receive(overlay, asked.state(), STRANGER, result);
    assertThat(forged.state()).isEqualTo(asked.state());
    assertThat(OverlayFixtures.counted(forged, "overlay-refused-subtree-result")).isOne();
  }

  @Test
  void theScoresOfChildrenCountOnlyFromAReplica() {
    Step<OverlayState> asked = leading(2, SearchRule.BeamScope.LEVEL);
    ChildScores scores = new ChildScores(ID, led(asked).id(), 0, List.of(), COST);
    Step<OverlayState> forged = OverlayFixtures.receive(overlay, asked.state(), STRANGER, scores);
    assertThat(forged.state()).isEqualTo(asked.state());
    assertThat(OverlayFixtures.counted(forged, "overlay-refused-child-scores")).isOne();
  }

  @Test
  void aResultCountsOnlyWithTheKeyThatTheQueryCarried() {
    OverlayState home =
        OverlayFixtures.state(
            OverlayFixtures.inHomeCluster(
                OverlayFixtures.emptyEpoch(),
                OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, OTHER).id(),
                OTHER));
    Step<OverlayState> asking =
        overlay.step(
            home,
            new Event.Notified(
                1,
                Component.METHOD,
                new OverlayLocalMessage.Search(7, 2, OverlayFixtures.RULE, false)));
    QueryAscent sent = (QueryAscent) OverlayFixtures.sent(asking, OTHER).getFirst();
    QueryId id = new QueryId(SELF, 7);
    SearchReply forged = new SearchReply(id, sent.spec().answerKey() + 1, FOUND, 0, 1, COST);
    Step<OverlayState> refused = OverlayFixtures.receive(overlay, asking.state(), OTHER, forged);
    assertThat(refused.state()).isEqualTo(asking.state());
    assertThat(OverlayFixtures.counted(refused, "overlay-refused-search-reply")).isOne();
    SearchReply right = new SearchReply(id, sent.spec().answerKey(), FOUND, 0, 1, COST);
    Step<OverlayState> found = OverlayFixtures.receive(overlay, asking.state(), STRANGER, right);
    assertThat(found.state().search().queries().pending()).isEmpty();
  }

  @Test
  void aLateResultOfASubtreeIsUsedByTheRetry() {
    Step<OverlayState> asked = leading(1, SearchRule.BeamScope.NODE);
    Step<OverlayState> retried =
        overlay.step(asked.state(), new Event.TimerFired(2, searchTimer(asked)));
    assertThat(OverlayFixtures.sent(retried, OTHER))
        .singleElement()
        .isInstanceOfSatisfying(QueryDescent.class, each -> assertThat(each.attempt()).isOne());
    SubtreeResult late = new SubtreeResult(ID, led(asked).id(), 0, FOUND, COST);
    Step<OverlayState> kept = OverlayFixtures.receive(overlay, retried.state(), OTHER, late);
    assertThat(OverlayFixtures.counted(kept, "overlay-late-answer")).isOne();
    RootSearch search =
        Objects.requireNonNull(kept.state().search().queries().rootSearches().get(ID));
    assertThat(search.candidates()).isEqualTo(FOUND);
    assertThat(search.pending()).isNotEmpty();
  }

  @Test
  void theLateComparisonOfAPeerIsUsedByTheRetry() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(OTHER))));
    QuerySpec spec = spec(SearchRule.BeamScope.NODE, 2);
    Step<OverlayState> asked =
        OverlayFixtures.receive(
            overlay, state, THIRD, new QueryDescent(spec, cluster.id(), 0.5, 0));
    Step<OverlayState> silent =
        overlay.step(asked.state(), new Event.TimerFired(2, searchTimer(asked)));
    assertThat(OverlayFixtures.sent(silent, THIRD))
        .containsExactly(new SubtreeResult(ID, cluster.id(), 0, List.of(), SearchCost.visit(0, 0)));
    CompareReply reply = new CompareReply(ID, cluster.id(), 1);
    Step<OverlayState> forged = OverlayFixtures.receive(overlay, silent.state(), STRANGER, reply);
    assertThat(OverlayFixtures.counted(forged, "overlay-refused-compare-reply")).isOne();
    Step<OverlayState> late = OverlayFixtures.receive(overlay, silent.state(), OTHER, reply);
    assertThat(OverlayFixtures.counted(late, "overlay-late-answer")).isOne();
    Step<OverlayState> retried =
        OverlayFixtures.receive(
            overlay, late.state(), THIRD, new QueryDescent(spec, cluster.id(), 0.4, 1));
    assertThat(OverlayFixtures.sent(retried, THIRD))
        .containsExactly(
            new SubtreeResult(ID, cluster.id(), 1, FOUND, SearchCost.comparison(true)));
    Step<OverlayState> third =
        OverlayFixtures.receive(
            overlay, retried.state(), THIRD, new QueryDescent(spec, cluster.id(), 0.3, 2));
    assertThat(OverlayFixtures.sent(third, THIRD))
        .as("a comparison costs once")
        .containsExactly(new SubtreeResult(ID, cluster.id(), 2, FOUND, SearchCost.ZERO));
  }

  @Test
  void aRetryTakesOverTheComparisonsThatAreStillAwaited() {
    ClusterDescriptor cluster = OverlayFixtures.cluster(OverlayFixtures.zone(1, OTHER), OWN, SELF);
    OverlayState state =
        OverlayFixtures.state(
            OverlayFixtures.holdingReplicas(OverlayFixtures.rootReplica(cluster, List.of(OTHER))));
    QuerySpec spec = spec(SearchRule.BeamScope.NODE, 2);
    for (int attempt = 0; attempt < 2; attempt++) {
      Step<OverlayState> step =
          OverlayFixtures.receive(
              overlay, state, THIRD, new QueryDescent(spec, cluster.id(), 0.5, attempt));
      assertThat(OverlayFixtures.sent(step, THIRD)).isEmpty();
      assertThat(OverlayFixtures.sent(step, OTHER)).hasSize(attempt == 0 ? 1 : 0);
      state = step.state();
    }
    Step<OverlayState> answered =
        OverlayFixtures.receive(overlay, state, OTHER, new CompareReply(ID, cluster.id(), 1));
    assertThat(OverlayFixtures.sent(answered, THIRD))
        .singleElement()
        .isInstanceOfSatisfying(SubtreeResult.class, each -> assertThat(each.attempt()).isOne());
  }
}
