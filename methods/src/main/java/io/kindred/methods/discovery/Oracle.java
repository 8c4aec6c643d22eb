package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;

/**
 * Local messages between a peer and a shell with a global view: an exact search, which only a
 * simulator can provide. A node refuses it.
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
    /** Nothing: candidates are drawn at random. */
    CHANCE
  }

  /**
   * Asks for the most similar peers. The answer has the same number.
   *
   * @param round the search waits until all live peers have a signature of this round or a later
   *     one
   * @param immediate whether to search now instead, among the peers that have any signature
   * @param rule rule for the number of entries of signatures
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

  /** Some peers have not reached the round yet; ask again. */
  @Named("oracle/not-yet")
  record NotYet(long number) implements Oracle {}

  /**
   * The most similar peers, best first.
   *
   * @param entries number of entries that signatures shall have, by the rule that an overlay
   *     follows
   */
  @Named("oracle/nearest")
  record Nearest(long number, List<Candidate> candidates, int entries) implements Oracle {
    public Nearest {
      candidates = List.copyOf(candidates);
    }
  }
}
