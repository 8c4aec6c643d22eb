package io.kindred.core.peer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a message that the receiver cannot check by itself: the sender may claim
 * what it likes. Models of hostile peers falsify the marked components, so that they need no
 * knowledge of single messages.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Claim {
  /** What the component claims. */
  Kind value();

  /** The kinds of claims. */
  enum Kind {
    /** The round of the sender or of its model: an {@code int}. */
    ROUND,
    /** How many samples a model was trained on: an {@code int} or a {@code double}. */
    SAMPLES,
    /** Held-out losses: a list of {@code Double}. */
    SCORES,
    /** The peer that the other claims of the same record are about: a {@link PeerId}. */
    OWNER,
    /** A description that others are compared with: the owner resembles whom it fits. */
    LIKENESS,
    /** A similarity of the owner, or of the sender where no owner is named: a {@code float}. */
    SIMILARITY
  }
}
