package io.kindred.protocol.overlay.search;

import static io.kindred.protocol.overlay.SubProtocolFixtures.OTHER;
import static io.kindred.protocol.overlay.SubProtocolFixtures.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.SearchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which clusters a search visits that the root super-peer leads. */
class VisitPlanTest {
  /** A tree of clusters whose lowest ones have one peer each, as similar as its cluster. */
  private static final class Tree {
    private final SortedMap<ClusterId, List<ScoredCluster>> children = new TreeMap<>();
    private final List<ClusterId> visited = new ArrayList<>();
    private final RandomStream random;
    private int clusters;

    Tree(long seed) {
      random = new RandomStreams(seed).stream(Purpose.CHURN, 0, 0);
    }

    List<ScoredCluster> grow(int level, int count) {
      List<ScoredCluster> grown = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ClusterId id = new ClusterId(new ZoneId(1, level, new PeerId(clusters)), 0);
        clusters++;
        grown.add(new ScoredCluster(id, List.of(OTHER), (float) (2 * random.nextDouble() - 1)));
        if (level > 1) {
          children.put(id, grow(level - 1, 1 + random.nextInt(4)));
        }
      }
      return grown;
    }

    /** Runs one attempt to its end, with an answer from every visited cluster. */
    RootSearch run(RootSearch start) {
      RootSearch search = VisitPlan.selectNext(start);
      boolean byLevel = search.spec().rule().beamScope() == SearchRule.BeamScope.LEVEL;
      while (!search.pending().isEmpty() || (byLevel && search.level() > 1)) {
        for (ScoredCluster each : List.copyOf(search.pending().values())) {
          visited.add(each.cluster());
          search = answered(search, each);
        }
        if (byLevel && search.level() > 1) {
          search = search.withPending(search.level() - 1, search.unvisited(), search.pending());
        } else if (byLevel) {
          return search;
        }
        search = VisitPlan.selectNext(search);
      }
      return search;
    }

    private RootSearch answered(RootSearch search, ScoredCluster cluster) {
      ClusterId id = cluster.cluster();
      QueryId query = search.spec().id();
      if (id.level() > 1) {
        SearchCost cost = SearchCost.visit(1, 1);
        return search.withReply(
            new ChildScores(query, id, 0, Objects.requireNonNull(children.get(id)), cost));
      }
      List<Candidate> found =
          List.of(new Candidate(new PeerId(1000 + visited.size()), cluster.similarity()));
      return search.withReply(new SubtreeResult(query, id, 0, found, SearchCost.visit(1, 1)));
    }
  }

  private static RootSearch search(SearchRule rule, int wanted, int depth, Tree tree, int roots) {
    QuerySpec spec = new QuerySpec(new QueryId(OTHER, 1), 0, OWN, wanted, rule);
    return RootSearch.of(spec, depth, 0, tree.grow(depth, roots), SearchCost.visit(roots, 0));
  }

  @Test
  void aSearchNeverReturnsNothingWhileItsVisitsReachAPeer() {
    for (SearchRule.BeamScope scope : SearchRule.BeamScope.values()) {
      for (int seed = 0; seed < 300; seed++) {
        int depth = 1 + seed % 5;
        int visits = depth + 1 + seed % 7;
        Tree tree = new Tree(seed);
        RootSearch start =
            search(new SearchRule(1 + seed % 9, scope, visits), 3, depth, tree, 1 + seed % 10);
        RootSearch end = tree.run(start);
        assertThat(end.candidates()).as("%s, seed %d", scope, seed).isNotEmpty();
        assertThat(end.cost().visited()).isLessThanOrEqualTo(visits);
      }
    }
  }

  @Test
  void visitsGoToTheBestBranchesWhereverTheyAre() {
    Tree tree = new Tree(1);
    SearchRule rule = new SearchRule(8, SearchRule.BeamScope.BEST, 1000);
    RootSearch end = tree.run(search(rule, 5, 4, tree, 6));
    double worst = end.candidates().get(4).similarity();
    assertThat(end.candidates()).hasSize(5);
    assertThat(end.open())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.similarity()).isLessThanOrEqualTo((float) worst));
  }

  @Test
  void aSearchForTheBestBranchesVisitsAllOfThemWhereItLacksCandidates() {
    Tree tree = new Tree(2);
    SearchRule rule = new SearchRule(3, SearchRule.BeamScope.BEST, 100_000);
    RootSearch end = tree.run(search(rule, 100_000, 3, tree, 4));
    assertThat(tree.visited).hasSize(tree.clusters).doesNotHaveDuplicates();
    assertThat(end.open()).isEmpty();
  }

  @Test
  void clustersBelowTheThresholdAreOpenedOnlyWhenItIsLowered() {
    Tree tree = new Tree(3);
    SearchRule rule = new SearchRule(8, SearchRule.BeamScope.NODE, 1000);
    RootSearch start = search(rule, 3, 1, tree, 8);
    assertThat(start.open()).isNotEmpty().allMatch(each -> each.similarity() >= 0);
    assertThat(start.unvisited()).isNotEmpty().allMatch(each -> each.similarity() < 0);
    RootSearch lower = VisitPlan.reopen(tree.run(start).retry(-1));
    assertThat(lower.open()).hasSameElementsAs(start.unvisited());
    assertThat(lower.unvisited()).isEmpty();
  }
}
