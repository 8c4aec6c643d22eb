package io.kindred.methods.discovery;

import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.Optional;

/**
 * A peer's own model, which other peers can find.
 *
 * @param origin the point that whole vectors are measured from; empty if it is zero
 * @param from the model that the round began with
 * @param trained the model after the last local training, which the peer sends to others
 * @param round round of {@code trained}, 0 before the first training
 * @param version tick at which {@code trained} was there: two trainings of one round, before and
 *     after a loss of the peer's state, have two versions
 */
@Buildable
public record OwnModel(
    Optional<Weights> origin, Weights from, Weights trained, int round, long version) {
  /** The same with the model that a round begins with. */
  public OwnModel beginningWith(Weights weights) {
    return OwnModelBuilder.from(this).from(weights).build();
  }

  /** The same with a newly trained model. */
  public OwnModel trained(Weights weights, int inRound, long tick) {
    return OwnModelBuilder.from(this).trained(weights).round(inRound).version(tick).build();
  }
}
