package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/** What overlays say to each other to answer a query (SemanticDFL, section 3.4). */
public sealed interface SearchMessage extends Message {
  /** The query that it is about. */
  QueryId id();

  /** A query on its way, which whoever gets it may refuse. */
  sealed interface Refusable extends SearchMessage {}

  private static void requireCosine(double value) {
    if (!(value >= -1 && value <= 1)) {
      throw new IllegalArgumentException("a similarity is a cosine, got " + value);
    }
  }

  /** Who is sought: those most alike to a signature, as many as wanted. */
  record QuerySpec(QueryId id, Signature signature, int wanted, SearchRule rule) {
    public QuerySpec {
      if (wanted < 0 || rule.beam() < 1 || rule.visits() < 0) {
        throw new IllegalArgumentException(wanted + " wanted by " + rule);
      }
    }
  }

  /** Upward, from one holder of a cluster to one of the cluster above, until there is none. */
  @Named("overlay/rising-query")
  record QueryAscent(QuerySpec spec, ClusterId cluster, Optional<Double> threshold)
      implements Refusable {
    public QueryAscent {
      threshold.ifPresent(SearchMessage::requireCosine);
    }

    @Override
    public QueryId id() {
      return spec.id();
    }
  }

  /** Downward. A later attempt comes with a lower threshold. */
  @Named("overlay/query")
  record QueryDescent(
      QuerySpec spec, ClusterId cluster, double threshold, int attempt, int visitBudget)
      implements Refusable {
    public QueryDescent {
      requireCosine(threshold);
    }

    @Override
    public QueryId id() {
      return spec.id();
    }
  }

  /** What was found below. */
  @Named("overlay/answer")
  record SubtreeResult(
      QueryId id, ClusterId cluster, int attempt, List<Candidate> candidates, SearchCost cost)
      implements SearchMessage {
    public SubtreeResult {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
    }
  }

  /** Where to look below: for a search that is led from the top. */
  @Named("overlay/branches")
  record ChildScores(
      QueryId id, ClusterId cluster, int attempt, List<ScoredCluster> children, SearchCost cost)
      implements SearchMessage {
    public ChildScores {
      children = List.copyOf(children);
    }
  }

  /** A cluster, who holds it, and how alike its prototype is. */
  record ScoredCluster(ClusterId cluster, List<PeerId> replicas, float similarity) {
    public ScoredCluster {
      replicas = ClusterReplica.requireReplicas(replicas);
      requireCosine(similarity);
    }
  }

  /** "How alike are you?", to the peers of a cluster. */
  @Named("overlay/compare")
  record CompareRequest(QueryId id, ClusterId cluster, Signature signature)
      implements SearchMessage {}

  @Named("overlay/compared")
  record CompareReply(QueryId id, ClusterId cluster, float similarity) implements SearchMessage {
    public CompareReply {
      requireCosine(similarity);
    }
  }

  /**
   * "I cannot; ask another": too much to do, or no longer in charge. Never of another refusal: they
   * would nest as deep as whoever writes them down likes.
   */
  @Named("overlay/refusal")
  record Refusal(Refusable refused) implements SearchMessage {
    @Override
    public QueryId id() {
      return refused.id();
    }
  }

  /** The end of a search, from the top to whoever asked. */
  @Named("overlay/found")
  record SearchReply(
      QueryId id, List<Candidate> candidates, double threshold, int attempts, SearchCost cost)
      implements SearchMessage {
    public SearchReply {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
      requireCosine(threshold);
    }
  }
}
