package io.kindred.protocol.overlay;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;

/** Messages between peers that answer a query (SemanticDFL, section 3.4). */
public sealed interface SearchMessage extends Message {
  /** The query that the message is about. */
  QueryId id();

  @Override
  default Category category() {
    return Category.SEARCH;
  }

  /** A query in transit, which its receiver may refuse. */
  sealed interface Refusable extends SearchMessage {}

  private static void requireCosine(double value) {
    if (!(value >= -1 && value <= 1)) {
      throw new IllegalArgumentException("a similarity is a cosine, got " + value);
    }
  }

  /**
   * What a query searches for: the peers most similar to a signature, as many as wanted.
   *
   * @param answerKey number that only the asking peer can compute and only super-peers that the
   *     query reaches learn: the asking peer accepts a {@link SearchReply} from no other peer
   */
  @Buildable
  record QuerySpec(QueryId id, long answerKey, Signature signature, int wanted, SearchRule rule) {
    public QuerySpec {
      if (wanted < 0 || rule.beam() < 1 || rule.visits() < 0) {
        throw new IllegalArgumentException(wanted + " results wanted by " + rule);
      }
    }
  }

  /**
   * A query on its way up, from a replica of a cluster to a replica of its parent, until a root.
   */
  @Named("overlay/query-ascent")
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

  /** A query on its way down. A later attempt has a lower threshold. */
  @Named("overlay/query-descent")
  @Buildable
  record QueryDescent(QuerySpec spec, ClusterId cluster, double threshold, int attempt)
      implements Refusable {
    public QueryDescent {
      requireCosine(threshold);
    }

    @Override
    public QueryId id() {
      return spec.id();
    }
  }

  /** The candidates found below a cluster. */
  @Named("overlay/subtree-result")
  record SubtreeResult(
      QueryId id, ClusterId cluster, int attempt, List<Candidate> candidates, SearchCost cost)
      implements SearchMessage {
    public SubtreeResult {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
    }
  }

  /** The scored children of a cluster, for a search that the root super-peer leads. */
  @Named("overlay/child-scores")
  record ChildScores(
      QueryId id, ClusterId cluster, int attempt, List<ScoredCluster> children, SearchCost cost)
      implements SearchMessage {
    public ChildScores {
      children = List.copyOf(children);
      int level = cluster.level();
      if (children.stream().anyMatch(each -> each.cluster().level() >= level)) {
        throw new IllegalArgumentException("children of " + cluster + " must have a lower level");
      }
    }
  }

  /** A cluster with its replicas and the similarity of its prototype. */
  record ScoredCluster(ClusterId cluster, List<PeerId> replicas, float similarity) {
    public ScoredCluster {
      replicas = ClusterReplica.requireReplicas(replicas);
      requireCosine(similarity);
    }
  }

  /** Asks a peer of a cluster how similar its signature is. */
  @Named("overlay/compare-request")
  record CompareRequest(QueryId id, ClusterId cluster, Signature signature)
      implements SearchMessage {}

  @Named("overlay/compare-reply")
  record CompareReply(QueryId id, ClusterId cluster, @Claim(Claim.Kind.SIMILARITY) float similarity)
      implements SearchMessage {
    public CompareReply {
      requireCosine(similarity);
    }
  }

  /**
   * Refuses a query: the sender is overloaded or no longer holds the cluster, and another replica
   * is to be asked. A refusal cannot refuse another refusal: an attacker could nest them to any
   * depth.
   */
  @Named("overlay/refusal")
  record Refusal(Refusable refused) implements SearchMessage {
    @Override
    public QueryId id() {
      return refused.id();
    }
  }

  /** The result of a search, from the root super-peer to the peer that started it. */
  @Named("overlay/search-reply")
  record SearchReply(
      QueryId id,
      long answerKey,
      List<Candidate> candidates,
      double threshold,
      int attempts,
      SearchCost cost)
      implements SearchMessage {
    public SearchReply {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
      requireCosine(threshold);
    }
  }
}
