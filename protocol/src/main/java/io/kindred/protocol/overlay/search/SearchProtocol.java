package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.CompareRequest;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.StepOutcome;
import java.util.Optional;

/**
 * The fourth sub-protocol of the overlay: queries go up to a root super-peer, down to the peers
 * that compare themselves, and back. A pure function of its state, an input and what it may read.
 */
public final class SearchProtocol {
  private final SearchStep step;
  private final QueryProtocol queries;
  private final RootSearches roots;
  private final SubtreeSearches subtrees;

  private SearchProtocol(SearchStep step) {
    this.step = step;
    roots = new RootSearches(step);
    queries = new QueryProtocol(step, roots);
    subtrees = new SubtreeSearches(step);
  }

  public static StepOutcome<SearchState> step(
      SearchState state, OverlayInput input, SearchView view) {
    SearchStep step = new SearchStep(state, view);
    new SearchProtocol(step).handle(input);
    return step.finish();
  }

  private void handle(OverlayInput input) {
    switch (input) {
      case OverlayEvent.Search event -> raised(event);
      case OverlayInput.MessageReceived(PeerId from, SearchMessage message) ->
          receive(from, message);
      case OverlayInput.MessageUndelivered(PeerId to, SearchMessage message) ->
          deliveryFailed(to, message);
      case OverlayInput.TimerDue(OverlayTimer.SearchTimeout(long number)) -> searchTimedOut(number);
      case OverlayInput.TimerDue(OverlayTimer.AnswerTimeout(long number)) ->
          queries.answerTimedOut(number);
      case OverlayInput.MethodRequest(OverlayLocalMessage.Search search) ->
          queries.startSearch(search);
      default -> throw new IllegalArgumentException("search does not handle " + input);
    }
  }

  private void raised(OverlayEvent.Search event) {
    switch (event) {
      case OverlayEvent.WayUpKnown _ -> queries.resumeDeferred();
      case OverlayEvent.PendingQueriesDue _ -> queries.sendPending();
      case OverlayEvent.QueriesAbandoned _ -> queries.abandonAll();
      case OverlayEvent.SignatureReplaced replaced ->
          step.put(step.state().adapted(replaced.similarity(), step.settings().threshold()));
    }
  }

  private void receive(PeerId from, SearchMessage message) {
    switch (message) {
      case QueryAscent queryAscent -> queries.ascend(from, queryAscent);
      case Refusal refusal -> deliveryFailed(from, refusal.refused());
      case QueryDescent queryDescent -> subtrees.queryReceived(from, queryDescent);
      case CompareRequest compareRequest -> queries.compare(from, compareRequest);
      case CompareReply compareReply -> subtrees.comparisonReceived(from, compareReply);
      case SubtreeResult subtreeResult -> routeAnswer(from, subtreeResult);
      case ChildScores childScores -> roots.replyReceived(from, childScores);
      case SearchReply searchReply -> queries.resultReceived(searchReply);
    }
  }

  /** A query stays in the epoch that it started in, even if a newer one is ready. */
  public static Optional<Long> epochOf(SearchMessage message) {
    Optional<ClusterId> at =
        switch (message) {
          case QueryAscent queryAscent -> Optional.of(queryAscent.cluster());
          case QueryDescent queryDescent -> Optional.of(queryDescent.cluster());
          case CompareRequest compareRequest -> Optional.of(compareRequest.cluster());
          case CompareReply compareReply -> Optional.of(compareReply.cluster());
          case SubtreeResult subtreeResult -> Optional.of(subtreeResult.cluster());
          case ChildScores childScores -> Optional.of(childScores.cluster());
          case Refusal _, SearchReply _ -> Optional.empty();
        };
    return message instanceof Refusal refusal
        ? epochOf(refusal.refused())
        : at.map(cluster -> cluster.zone().epoch());
  }

  /**
   * A result belongs to the root search if that waits for the cluster, else to a subtree search.
   */
  private void routeAnswer(PeerId from, SubtreeResult subtreeResult) {
    RootSearch search = step.queries().rootSearches().get(subtreeResult.id());
    if (search != null && search.asked(from, subtreeResult.cluster())) {
      roots.replyReceived(from, subtreeResult);
    } else {
      subtrees.answerReceived(from, subtreeResult);
    }
  }

  private void deliveryFailed(PeerId to, SearchMessage message) {
    switch (message) {
      case QueryAscent queryAscent -> queries.deliveryFailed(to, queryAscent);
      case QueryDescent queryDescent -> {
        if (!roots.deliveryFailed(to, queryDescent)) {
          subtrees.deliveryFailed(to, queryDescent);
        }
      }
      case CompareRequest compareRequest -> subtrees.peerUnreachable(to, compareRequest);
      default -> step.count("overlay-not-delivered");
    }
  }

  /** A root or subtree search whose answers are late goes on without them. */
  private void searchTimedOut(long timerNumber) {
    if (!roots.timedOut(timerNumber)) {
      subtrees.timedOut(timerNumber);
    }
  }
}
