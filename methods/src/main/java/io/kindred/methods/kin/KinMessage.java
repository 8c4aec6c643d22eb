package io.kindred.methods.kin;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.Optional;

/** A message between peers of the method {@link Kin}. */
public sealed interface KinMessage extends Message {
  /**
   * Asks for the shared model of a round or a later one; round zero asks for whatever there is.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("kin/model-request")
  record ModelRequest(int round, int attempt) implements KinMessage {
    @Override
    public boolean asksForModel() {
      return true;
    }
  }

  /**
   * The newest trained shared model of a peer, and what the peer knows about the choice.
   *
   * @param round the round in which the model was trained; zero without a model
   * @param version the version by which the peer advertises this model
   * @param samples number of training samples
   * @param scores the peer's own scores
   * @param combinedScores the mean of the scores of the peer and of the peers that it pulled
   * @param choice what the peer deploys
   * @param attempt number of failed sends before this one
   */
  @Named("kin/model-reply")
  @Buildable
  record ModelReply(
      @Claim(Claim.Kind.ROUND) int round,
      long version,
      Optional<Weights> weights,
      @Claim(Claim.Kind.SAMPLES) int samples,
      Optional<Scores> scores,
      Optional<Scores> combinedScores,
      Optional<Choice> choice,
      int attempt)
      implements KinMessage {}
}
