package io.kindred.methods.rounds;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import java.util.Arrays;

/** A message of {@link Gossip}, from a peer to a neighbour: what the peer has made in a round. */
public sealed interface NeighbourMessage extends Message {
  int round();

  /** The sender's number of neighbours. */
  int degree();

  /** The slots of the sender's update of the round. */
  Ints slots();

  /** Whether the sender lacks the receiver's message of the round. */
  boolean requestsReply();

  /** Number of failed sends before this one. */
  int attempt();

  NeighbourMessage nextAttempt();

  @Override
  default boolean asksForModel() {
    return requestsReply();
  }

  /** The update of a round. */
  @Named("rounds/neighbour-update")
  @Buildable
  record NeighbourUpdate(
      @Claim(Claim.Kind.ROUND) int round,
      int degree,
      ModelUpdate update,
      boolean requestsReply,
      int attempt)
      implements NeighbourMessage {
    @Override
    public Ints slots() {
      return update.slots();
    }

    @Override
    public NeighbourUpdate nextAttempt() {
      return NeighbourUpdateBuilder.from(this).attempt(attempt + 1).build();
    }
  }

  /**
   * Only the slots of the update of a round. The sender sends the update itself to the neighbours
   * that need it ({@link UpdateSharing}).
   */
  @Named("rounds/announcement")
  @Buildable
  record Announcement(
      @Claim(Claim.Kind.ROUND) int round,
      int degree,
      Ints slots,
      boolean requestsReply,
      int attempt)
      implements NeighbourMessage {
    @Override
    public Announcement nextAttempt() {
      return AnnouncementBuilder.from(this).attempt(attempt + 1).build();
    }

    /** Whether a slot is named, and every named slot exists and is named once. */
    boolean isValid(int count) {
      return slots.size() > 0
          && Arrays.stream(slots.shared()).allMatch(slot -> slot >= 0 && slot < count)
          && Arrays.stream(slots.shared()).distinct().count() == slots.size();
    }
  }
}
