package io.kindred.methods.semantic;

import io.kindred.core.settings.Named;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.PureFunction;
import io.kindred.protocol.signatures.Cardinality;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.SignatureRule;
import io.kindred.protocol.signatures.SignatureState;
import java.util.Optional;

/**
 * Makes the signature of a model (SemanticDFL, section 3.2). How many entries it needs is found out
 * whenever its places are chosen anew; how many it has is what the network agreed on, and before
 * that what it needs.
 *
 * @param share of the weights that a signature has; 0 leaves it to the rule
 * @param agreed entries that the network agreed on
 * @param least entries that it needed when that was last found out
 */
@Named("semantic/sign")
public record Sign(
    SignatureRule rule,
    double share,
    Weights weights,
    Weights start,
    Optional<SignatureState> before,
    Optional<Integer> agreed,
    int least)
    implements PureFunction {
  /** Choosing the largest entries takes about so many operations each. */
  private static final long OPERATIONS_AN_ENTRY = 8;

  /** A signature, and the entries that it would need. */
  @Named("semantic/signed")
  public record Signed(SignatureState state, int least) implements Answer {}

  @Override
  public Answer apply() {
    Weights subject = rule.subject(weights, start);
    int needed = before.isEmpty() ? needed(subject) : least;
    int entries =
        share > 0
            ? fixed()
            : agreed.orElseGet(
                () -> Cardinality.agreed(QuantileSketch.of(needed), subject.size(), rule));
    SignatureState state =
        before
            .map(last -> last.next(rule, subject, entries))
            .orElseGet(() -> SignatureState.first(rule, subject, entries));
    return new Signed(state, before.isPresent() && state.age() == 0 ? needed(subject) : needed);
  }

  private int fixed() {
    return Math.max(1, (int) Math.round(share * weights.size()));
  }

  private int needed(Weights subject) {
    return share > 0
        ? fixed()
        : Cardinality.least(subject, rule.importance(Optional.empty(), subject), rule);
  }

  @Override
  public long operations() {
    return OPERATIONS_AN_ENTRY * weights.size();
  }
}
