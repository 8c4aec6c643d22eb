package io.kindred.methods.discovery;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.signature.Cardinality;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import java.util.Optional;

/**
 * Computes the signature of a model (SemanticDFL, section 3.2). The number of entries that it needs
 * is determined whenever its positions are chosen anew; the number that it has is what the network
 * agreed on, and before an agreement what it needs.
 *
 * @param fixedShare share of the weights that a signature has; 0 leaves it to the rule
 * @param agreedEntries number of entries that the network agreed on
 * @param lastRequiredEntries number of entries that the signature needed when that was last
 *     determined
 */
@Named("semantic/sign")
public record ComputeSignature(
    SignatureRule rule,
    double fixedShare,
    Weights weights,
    Weights start,
    Optional<SignatureState> previous,
    Optional<Integer> agreedEntries,
    int lastRequiredEntries)
    implements PureFunction {
  /** Choosing the largest entries takes about so many operations for each weight. */
  private static final long OPERATIONS_PER_ENTRY = 8;

  /** A signature, and the number of entries that it would need. */
  @Named("semantic/signed")
  public record ComputedSignature(SignatureState state, int requiredEntries) implements Answer {}

  @Override
  public Answer apply() {
    Weights subject = rule.subject(weights, start);
    int needed =
        previous.isEmpty() ? requiredEntries(subject, Optional.empty()) : lastRequiredEntries;
    int entries =
        fixedShare > 0
            ? fixedEntries()
            : agreedEntries.orElseGet(
                () -> Cardinality.networkWide(QuantileSketch.of(needed), subject.size(), rule));
    SignatureState state =
        previous
            .map(last -> last.next(rule, subject, entries))
            .orElseGet(() -> SignatureState.first(rule, subject, entries));
    boolean chosenAgain = previous.isPresent() && state.age() == 0;
    return new ComputedSignature(
        state, chosenAgain ? requiredEntries(subject, state.importance()) : needed);
  }

  private int fixedEntries() {
    return Math.max(1, (int) Math.round(fixedShare * weights.size()));
  }

  /**
   * Appendix B.1 searches the number of entries in the order of the smoothed scores, by which the
   * signature's positions are chosen: in the order of the raw magnitudes, fewer entries would seem
   * sufficient than the chosen positions need. The cosine is that of the current vector.
   *
   * @param smoothed the smoothed importance; empty without smoothing and in the first round, where
   *     the magnitudes are the importance
   */
  private int requiredEntries(Weights subject, Optional<Weights> smoothed) {
    return fixedShare > 0
        ? fixedEntries()
        : Cardinality.minimum(
            subject, smoothed.orElseGet(() -> rule.importance(Optional.empty(), subject)), rule);
  }

  @Override
  public long operations() {
    return OPERATIONS_PER_ENTRY * weights.size();
  }
}
