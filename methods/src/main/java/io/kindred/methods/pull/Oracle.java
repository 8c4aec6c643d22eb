package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;

/**
 * What a peer and a shell that sees everybody say to each other: an exact search, which only a
 * simulator can offer. A node refuses it.
 */
public sealed interface Oracle extends LocalMessage {
  /** What peers are compared by. */
  enum ComparedBy {
    /** Their signatures, as an overlay would. */
    SIGNATURE,
    /** The whole vectors that signatures are taken of (SemanticDFL, section 4.1). */
    WEIGHTS,
    /** What the last local training changed: the gradients of section 5.3. */
    UPDATE,
    /** Nothing: anybody will do. */
    CHANCE
  }

  /**
   * Who is most alike? The number comes back with the answer.
   *
   * @param round only when everybody is in this round or beyond
   * @param immediate or now, with those who are
   * @param rule by which signatures get their number of entries
   */
  @Named("oracle/ask")
  record Ask(
      long number,
      int wanted,
      ComparedBy comparedBy,
      int round,
      boolean immediate,
      SignatureRule rule)
      implements Oracle {}

  /** Not everybody is there yet; ask again. */
  @Named("oracle/not-yet")
  record NotYet(long number) implements Oracle {}

  /**
   * The best, the most alike first.
   *
   * @param entries that signatures shall have, by the rule that an overlay follows
   */
  @Named("oracle/nearest")
  record Nearest(long number, List<Candidate> candidates, int entries) implements Oracle {
    public Nearest {
      candidates = List.copyOf(candidates);
    }
  }
}
