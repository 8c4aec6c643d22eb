package io.kindred.protocol.overlay;

import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.settings.Named;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.signatures.Signature;
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
  record Sought(QueryId id, Signature signature, int wanted, SearchRule rule) {
    public Sought {
      if (wanted < 0 || rule.beam() < 1 || rule.visits() < 0) {
        throw new IllegalArgumentException(wanted + " wanted by " + rule);
      }
    }
  }

  /** Upward, from one holder of a cluster to one of the cluster above, until there is none. */
  @Named("overlay/rising-query")
  record Rising(Sought sought, ClusterId at, Optional<Double> threshold) implements Refusable {
    public Rising {
      threshold.ifPresent(SearchMessage::requireCosine);
    }

    @Override
    public QueryId id() {
      return sought.id();
    }
  }

  /** Downward. A later attempt comes with a lower threshold. */
  @Named("overlay/query")
  record Query(Sought sought, ClusterId at, double threshold, int attempt, int visits)
      implements Refusable {
    public Query {
      requireCosine(threshold);
    }

    @Override
    public QueryId id() {
      return sought.id();
    }
  }

  /** What was found below. */
  @Named("overlay/answer")
  record Answer(QueryId id, ClusterId at, int attempt, List<Candidate> candidates, Tally tally)
      implements SearchMessage {
    public Answer {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
    }
  }

  /** Where to look below: for a search that is led from the top. */
  @Named("overlay/branches")
  record Branches(QueryId id, ClusterId at, int attempt, List<Branch> branches, Tally tally)
      implements SearchMessage {
    public Branches {
      branches = List.copyOf(branches);
    }
  }

  /** A cluster, who holds it, and how alike its prototype is. */
  record Branch(ClusterId cluster, List<PeerId> replicas, float similarity) {
    public Branch {
      replicas = Seat.holders(replicas);
      requireCosine(similarity);
    }
  }

  /** "How alike are you?", to the peers of a cluster. */
  @Named("overlay/compare")
  record Compare(QueryId id, ClusterId at, Signature signature) implements SearchMessage {}

  @Named("overlay/compared")
  record Compared(QueryId id, ClusterId at, float similarity) implements SearchMessage {
    public Compared {
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
  record Found(QueryId id, List<Candidate> candidates, double threshold, int attempts, Tally tally)
      implements SearchMessage {
    public Found {
      candidates = List.copyOf(candidates);
      candidates.forEach(each -> requireCosine(each.similarity()));
      requireCosine(threshold);
    }
  }
}
