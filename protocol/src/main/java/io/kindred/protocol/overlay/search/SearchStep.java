package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A step of search while it is computed. */
final class SearchStep extends SubProtocolStep {
  private final SearchView view;
  private SearchState state;

  SearchStep(SearchState state, SearchView view) {
    super(view.step());
    this.view = view;
    this.state = state;
  }

  StepOutcome<SearchState> finish() {
    return outcome(state);
  }

  SearchState state() {
    return state;
  }

  void put(SearchState next) {
    state = next;
  }

  QueryTable queries() {
    return state.queries();
  }

  void put(QueryTable next) {
    state = state.with(next);
  }

  Optional<Signature> signature() {
    return view.signature();
  }

  boolean isReady() {
    return view.ready();
  }

  Optional<ClusterReplica.ClusterPointer> homeCluster() {
    return view.homeCluster();
  }

  @Nullable ClusterReplica replica(ClusterId cluster) {
    return view.replicas().get(cluster);
  }

  List<ClusterReplica> replicas() {
    return List.copyOf(view.replicas().values());
  }

  List<ScoredCluster> scoreClusters(Signature query, List<ClusterDescriptor> clusters) {
    return scoreClusters(view.signature(), query, clusters);
  }

  /** Whether this peer already runs as many searches as it accepts. */
  boolean isOverloaded() {
    return queries().subtreeSearches().size() + queries().rootSearches().size()
        >= settings().maintenance().queries();
  }

  void refuseQuery(PeerId from, SearchMessage.Refusable message) {
    count("overlay-query-refused");
    send(from, new SearchMessage.Refusal(message));
  }

  /** Limits how long a search at a level waits for those below, which must time out first. */
  long startSearchTimer(int level) {
    long number = queries().nextTimer();
    put(queries().withNextTimer(number + 1));
    setTimer(new OverlayTimer.SearchTimeout(number), 4L * (level + 1) * settings().hopTicks());
    return number;
  }

  void setAnswerTimer(long number, long afterTicks) {
    setTimer(new OverlayTimer.AnswerTimeout(number), afterTicks);
  }
}
