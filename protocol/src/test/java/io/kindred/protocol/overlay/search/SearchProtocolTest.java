package io.kindred.protocol.overlay.search;

import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OWN;
import static io.kindred.protocol.overlay.SubProtocolFixtures.SELF;
import static io.kindred.protocol.overlay.SubProtocolFixtures.STRANGER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterReplica.ClusterPointer;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.SearchRule.BeamScope;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolFixtures;
import io.kindred.protocol.overlay.Threshold;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Search as a table: state and input, effects and events. */
class SearchProtocolTest {
  private static final QuerySpec SPEC =
      new QuerySpec(new QueryId(THIRD, 1), 5, OWN, 2, new SearchRule(8, BeamScope.NODE, 0));
  private static final ClusterDescriptor HELD =
      SubProtocolFixtures.cluster(SubProtocolFixtures.zone(1, OTHER), 0, OWN, SELF, OTHER);
  private static final ClusterId ABOVE = new ClusterId(SubProtocolFixtures.zone(2, OTHER), 0);

  private static final ClusterReplica REPLICA =
      ClusterReplica.of(
          new OverlayMessage.ReplicaAssigned(HELD, List.of(SELF, OTHER), List.of(), 0), null, 0);

  /** Where the peer's replica belongs in the hierarchy. */
  enum Place {
    UNKNOWN,
    CHILD,
    ROOT
  }

  private static SearchView view(Place place) {
    ClusterReplica replica =
        switch (place) {
          case UNKNOWN -> REPLICA;
          case CHILD -> REPLICA.withParent(new ClusterPointer(ABOVE, List.of(OTHER)), 0);
          case ROOT -> REPLICA.withRoots(List.of(HELD), 0);
        };
    return new SearchView(
        SubProtocolFixtures.view(5),
        new TreeMap<>(Map.of(HELD.id(), replica)),
        Optional.of(new ClusterPointer(HELD.id(), List.of(SELF, OTHER))),
        place != Place.UNKNOWN,
        Optional.of(OWN));
  }

  private static StepOutcome<SearchState> step(
      SearchState state, OverlayInput input, SearchView view) {
    return SearchProtocol.step(state, input, view);
  }

  private static OverlayInput from(PeerId peer, SearchMessage message) {
    return new OverlayInput.MessageReceived(peer, message);
  }

  private static final OverlayInput ASCENT =
      from(THIRD, new SearchMessage.QueryAscent(SPEC, HELD.id(), Optional.of(0.5)));

  private static OverlayInput descent(int attempt) {
    return from(THIRD, new SearchMessage.QueryDescent(SPEC, HELD.id(), 0.5, attempt));
  }

  private static final OverlayInput OWN_SEARCH =
      new OverlayInput.MethodRequest(
          new OverlayLocalMessage.Search(7, 2, SPEC.rule(), /* resetThreshold= */ false));

  record Row(String name, SearchState state, OverlayInput input, Place place, List<String> words) {
    Row(String name, SearchState state, OverlayInput input, Place place, String... words) {
      this(name, state, input, place, List.of(words));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Row> rows() {
    SearchState none = SearchState.EMPTY;
    SearchState comparing = step(none, descent(0), view(Place.ROOT)).state();
    SearchState asking = step(none, OWN_SEARCH, view(Place.CHILD)).state();
    SearchMessage.CompareReply reply = new SearchMessage.CompareReply(SPEC.id(), HELD.id(), 1);
    return List.of(
        new Row(
            "the own query goes up",
            none,
            OWN_SEARCH,
            Place.CHILD,
            "QueryAscent to 0",
            "timer overlay-unanswered"),
        new Row("a query goes further up", none, ASCENT, Place.CHILD, "QueryAscent to 1"),
        new Row(
            "a query reaches the root",
            none,
            ASCENT,
            Place.ROOT,
            "timer overlay-search-timeout",
            "QueryDescent to 0"),
        new Row("a query waits for the way up", none, ASCENT, Place.UNKNOWN),
        new Row(
            "a query asks the peers of a cluster",
            none,
            descent(0),
            Place.ROOT,
            "timer overlay-search-timeout",
            "CompareRequest to 0",
            "CompareRequest to 1"),
        new Row(
            "a query that comes twice",
            comparing,
            descent(0),
            Place.ROOT,
            "count overlay-query-repeated"),
        new Row(
            "a comparison of a peer that was not asked",
            comparing,
            from(STRANGER, reply),
            Place.ROOT,
            "count overlay-refused-compare-reply"),
        new Row(
            "no comparison comes in time",
            comparing,
            new OverlayInput.TimerDue(new OverlayTimer.SearchTimeout(0)),
            Place.ROOT,
            "count overlay-answers-missing",
            "SubtreeResult to 2"),
        new Row(
            "no answer comes in time",
            asking,
            new OverlayInput.TimerDue(new OverlayTimer.AnswerTimeout(7)),
            Place.CHILD,
            "count overlay-query-retried",
            "QueryAscent to 0",
            "timer overlay-unanswered"),
        new Row(
            "an answer with a wrong key",
            asking,
            from(
                OTHER,
                new SearchMessage.SearchReply(
                    new QueryId(SELF, 7), 1, List.of(), 0, 1, SearchCost.ZERO)),
            Place.CHILD,
            "count overlay-refused-search-reply"),
        new Row(
            "a restart",
            asking,
            new OverlayEvent.QueriesAbandoned(),
            Place.CHILD,
            "count overlay-unanswered",
            "notify SearchFinished"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aStepHasTheseEffectsAndEvents(Row row) {
    assertThat(SubProtocolFixtures.words(step(row.state(), row.input(), view(row.place()))))
        .containsExactlyElementsOf(row.words());
  }

  @Test
  void aQueryThatWaitedGoesOnWhenTheWayUpIsKnown() {
    SearchState waiting = step(SearchState.EMPTY, ASCENT, view(Place.UNKNOWN)).state();
    assertThat(waiting.queries().deferred()).hasSize(1);
    StepOutcome<SearchState> resumed =
        step(waiting, new OverlayEvent.WayUpKnown(), view(Place.CHILD));
    assertThat(SubProtocolFixtures.words(resumed)).containsExactly("QueryAscent to 1");
    assertThat(resumed.state().queries().deferred()).isEmpty();
  }

  @Test
  void aClusterAnswersOnceAllItsPeersHave() {
    SearchState state = step(SearchState.EMPTY, descent(0), view(Place.ROOT)).state();
    for (PeerId peer : List.of(SELF, OTHER)) {
      StepOutcome<SearchState> last =
          step(
              state,
              from(peer, new SearchMessage.CompareReply(SPEC.id(), HELD.id(), 1)),
              view(Place.ROOT));
      state = last.state();
      assertThat(SubProtocolFixtures.words(last))
          .containsExactly(
              peer.equals(OTHER) ? new String[] {"SubtreeResult to 2"} : new String[0]);
    }
    assertThat(state.queries().subtreeSearches()).isEmpty();
    assertThat(state.queries().compared().getFirst().candidates())
        .containsExactly(new Candidate(SELF, 1), new Candidate(OTHER, 1));
  }

  @Test
  void theThresholdFollowsTheDriftOfTheSignature() {
    SearchState searched =
        new SearchState(QueryTable.empty(0), Optional.of(new Threshold(0.5)), 3, 10);
    SearchState same =
        step(searched, new OverlayEvent.SignatureReplaced(1), view(Place.ROOT)).state();
    SearchState turned =
        step(searched, new OverlayEvent.SignatureReplaced(0.2), view(Place.ROOT)).state();
    assertThat(turned.threshold().orElseThrow().value())
        .isLessThan(same.threshold().orElseThrow().value());
    assertThat(turned.scored()).isZero();
    assertThat(turned.passed()).isZero();
  }
}
