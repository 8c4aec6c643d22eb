package io.kindred.methods.kin;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;

/**
 * The part of a pulled model in the mixed one.
 *
 * @param weight share in the mixed model
 * @param cosine cosine of the changes since the common start of this and of the own model
 * @param distance distance from the own model as a multiple of the median of the pulled models
 * @param verdict what the guard did
 */
@Buildable
public record Contribution(
    PeerId peer, double weight, double cosine, double distance, Verdict verdict) {
  /** What the guard did with a model. */
  public enum Verdict {
    ACCEPTED,
    /** It was far away, so it counts less. */
    SHORTENED,
    /** It was too far away to count at all. */
    FAR,
    /** Its change points away from the own change. */
    OPPOSED,
    /** Its weights are so large that they cannot be compared. */
    INCOMPARABLE
  }
}
