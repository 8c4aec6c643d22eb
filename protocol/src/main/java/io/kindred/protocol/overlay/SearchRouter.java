package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.CompareRequest;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import java.util.Optional;

/** Brings messages, failed deliveries and timeouts of queries to the search that they belong to. */
final class SearchRouter {
  private final OverlayStep step;
  private final QueryProtocol queries;
  private final RootSearches roots;
  private final SubtreeSearches subtrees;

  SearchRouter(OverlayStep step) {
    this.step = step;
    queries = new QueryProtocol(step);
    roots = new RootSearches(step);
    subtrees = new SubtreeSearches(step);
  }

  void receive(PeerId from, SearchMessage message) {
    enterEpochOf(message);
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
  private void enterEpochOf(SearchMessage message) {
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
    at.map(cluster -> cluster.zone().epoch()).filter(step::hasEpoch).ifPresent(step::enterEpoch);
  }

  /**
   * A result belongs to the root search if that waits for the cluster, else to a subtree search.
   */
  private void routeAnswer(PeerId from, SubtreeResult subtreeResult) {
    RootSearch search = step.queries.rootSearches().get(subtreeResult.id());
    if (search != null && search.asked(from, subtreeResult.cluster())) {
      roots.replyReceived(from, subtreeResult);
    } else {
      subtrees.answerReceived(from, subtreeResult);
    }
  }

  void deliveryFailed(PeerId to, SearchMessage message) {
    switch (message) {
      case QueryAscent queryAscent -> {
        enterEpochOf(queryAscent);
        queries.deliveryFailed(to, queryAscent);
      }
      case QueryDescent queryDescent -> {
        enterEpochOf(queryDescent);
        if (!roots.deliveryFailed(to, queryDescent)) {
          subtrees.deliveryFailed(to, queryDescent);
        }
      }
      case CompareRequest compareRequest -> subtrees.peerUnreachable(to, compareRequest);
      default -> step.count("overlay-not-delivered");
    }
  }

  /** A root or subtree search whose answers are late goes on without them. */
  void searchTimedOut(long timerNumber) {
    if (!roots.timedOut(timerNumber)) {
      subtrees.timedOut(timerNumber);
    }
  }
}
