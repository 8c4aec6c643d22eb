package io.kindred.protocol.overlay.search;

import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Selects the clusters that a root search visits next (SemanticDFL, section 3.4). Pure functions.
 *
 * <p>A super-peer far up costs more visits than its own, because only lowest clusters know peers: a
 * cluster of level L needs up to L visits. A cluster is therefore visited only if the visits that
 * are left reach the peers below it and below the other clusters selected with it. So a search
 * whose visits reach any peer never spends all of them above the peers.
 */
final class VisitPlan {
  private static final Comparator<ScoredCluster> MOST_SIMILAR =
      Comparator.comparingDouble(ScoredCluster::similarity)
          .reversed()
          .thenComparing(ScoredCluster::cluster);

  private VisitPlan() {}

  /** The search with the clusters that it visits next as pending; none ends the attempt. */
  static RootSearch selectNext(RootSearch search) {
    SearchRule rule = search.spec().rule();
    if (!rule.isLedByRoot()) {
      return wholeSubtrees(search);
    }
    return rule.beamScope() == SearchRule.BeamScope.LEVEL ? onLevel(search) : bestFirst(search);
  }

  /** The root clusters, once per attempt: their super-peers send the query on by themselves. */
  private static RootSearch wholeSubtrees(RootSearch search) {
    List<ScoredCluster> chosen =
        search.attemptStarted()
            ? List.of()
            : ClusterScores.selectBest(
                search.unvisited(), search.threshold(), search.spec().rule().beam());
    return search.withPending(search.level(), search.unvisited(), ClusterScores.byCluster(chosen));
  }

  /** The best clusters of the present level. */
  private static RootSearch onLevel(RootSearch search) {
    List<ScoredCluster> here = new ArrayList<>();
    List<ScoredCluster> elsewhere = new ArrayList<>();
    for (ScoredCluster each : search.unvisited()) {
      (each.cluster().level() == search.level() ? here : elsewhere).add(each);
    }
    here.sort(MOST_SIMILAR);
    int most = Math.min(search.spec().rule().beam(), search.visitsLeft() / search.level());
    boolean none = ClusterScores.countPassing(here, search.threshold()) == 0;
    List<ScoredCluster> chosen =
        none && search.attempt() > 0
            ? List.of()
            : ClusterScores.selectBest(here, search.threshold(), most);
    elsewhere.addAll(here.subList(chosen.size(), here.size()));
    return search.withPending(
        search.level(), List.copyOf(elsewhere), ClusterScores.byCluster(chosen));
  }

  /** The best open clusters of all levels, as many as the beam is wide. */
  private static RootSearch bestFirst(RootSearch search) {
    List<ScoredCluster> sorted = new ArrayList<>(search.open());
    sorted.sort(MOST_SIMILAR);
    List<ScoredCluster> chosen = new ArrayList<>();
    List<ScoredCluster> left = new ArrayList<>();
    long visits = search.visitsLeft();
    for (ScoredCluster each : sorted) {
      if (chosen.size() < search.spec().rule().beam()
          && each.cluster().level() <= visits
          && !isComplete(search, each)) {
        chosen.add(each);
        visits -= each.cluster().level();
      } else {
        left.add(each);
      }
    }
    return search
        .withOpen(List.copyOf(left))
        .withPending(search.level(), search.unvisited(), ClusterScores.byCluster(chosen));
  }

  /**
   * Whether a search for the best branches has as many candidates as wanted, each at least as
   * similar as the best branch that it has not visited.
   */
  private static boolean isComplete(RootSearch search, ScoredCluster best) {
    int wanted = search.spec().wanted();
    return search.spec().rule().beamScope() == SearchRule.BeamScope.BEST
        && (wanted == 0
            || (search.candidates().size() >= wanted
                && search.candidates().get(wanted - 1).similarity() >= best.similarity()));
  }

  /**
   * Opens the child clusters of a visited cluster, or the root clusters: all of them for a search
   * for the best branches, else up to the beam width of those that pass the threshold.
   */
  static RootSearch open(RootSearch search, List<ScoredCluster> found) {
    SearchRule rule = search.spec().rule();
    List<ScoredCluster> sorted = new ArrayList<>(found);
    sorted.sort(MOST_SIMILAR);
    List<ScoredCluster> chosen =
        switch (rule.beamScope()) {
          case BEST -> sorted;
          case NODE -> ClusterScores.selectBest(sorted, search.threshold(), rule.beam());
          case LEVEL -> List.of();
        };
    List<ScoredCluster> open = new ArrayList<>(search.open());
    open.addAll(chosen);
    List<ScoredCluster> closed = new ArrayList<>(search.unvisited());
    closed.addAll(sorted.subList(chosen.size(), sorted.size()));
    return search
        .withOpen(List.copyOf(open))
        .withPending(search.level(), List.copyOf(closed), search.pending());
  }

  /** Opens the clusters that pass a lower threshold. */
  static RootSearch reopen(RootSearch search) {
    List<ScoredCluster> open = new ArrayList<>(search.open());
    List<ScoredCluster> closed = new ArrayList<>();
    for (ScoredCluster each : search.unvisited()) {
      (each.similarity() >= search.threshold() ? open : closed).add(each);
    }
    return search
        .withOpen(List.copyOf(open))
        .withPending(search.level(), List.copyOf(closed), search.pending());
  }
}
