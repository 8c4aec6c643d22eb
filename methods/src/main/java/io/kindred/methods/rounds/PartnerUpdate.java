package io.kindred.methods.rounds;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Layout;

/**
 * A message of {@link Gossip} with partners that a search found: the sender's update of a round.
 *
 * @param version the version by which the sender's discovery advertises this model
 * @param requestsReply whether the sender waits for the receiver's update of this round or a later
 *     one
 * @param attempt number of failed sends before this one
 */
@Named("rounds/partner-update")
@Buildable
public record PartnerUpdate(
    @Claim(Claim.Kind.ROUND) int round,
    long version,
    ModelUpdate update,
    boolean requestsReply,
    int attempt)
    implements Message {
  PartnerUpdate nextAttempt() {
    return PartnerUpdateBuilder.from(this).attempt(attempt + 1).build();
  }

  /** Updates of other peers are not trusted. */
  boolean isValid(int rounds, Layout layout) {
    return round >= 1 && round <= rounds && version >= 0 && update.isValid(1, layout);
  }
}
