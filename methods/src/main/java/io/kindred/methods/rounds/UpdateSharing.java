package io.kindred.methods.rounds;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.GossipState.StoredAnnouncement;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which neighbours receive a peer's update of a round: all neighbours, or only the neighbours with
 * an update of the same round in one of the same slots. In the second case a peer cannot know these
 * neighbours in advance, so every peer first sends an {@link Announcement} to all its neighbours.
 *
 * @param announces whether peers announce the slots of their updates
 */
record UpdateSharing(boolean announces) {
  /**
   * Sends a neighbour the last update that the peer has made, or its announcement and the update
   * only if the neighbour needs it; nothing before the first update.
   */
  List<Effect> share(GossipState state, PeerId neighbour, boolean requestsReply) {
    Optional<ModelUpdate> update = state.sharedUpdate();
    if (update.isEmpty()) {
      return List.of();
    }
    if (!announces) {
      return List.of(sendUpdate(state, neighbour, update.get(), requestsReply));
    }
    Effect announcement =
        new Effect.Send(
            neighbour,
            new Announcement(
                state.lastSharedRound(), degree(state), update.get().slots(), requestsReply, 0));
    return needUpdates(state, neighbour)
        ? List.of(announcement, sendUpdate(state, neighbour, update.get(), false))
        : List.of(announcement);
  }

  private static Effect sendUpdate(
      GossipState state, PeerId neighbour, ModelUpdate update, boolean requestsReply) {
    return new Effect.Send(
        neighbour,
        new NeighbourUpdate(state.lastSharedRound(), degree(state), update, requestsReply, 0));
  }

  /** Whether effects send a whole update, and not only an announcement. */
  static boolean hasUpdate(List<Effect> effects) {
    return effects.stream()
        .anyMatch(
            each -> each instanceof Effect.Send send && send.message() instanceof NeighbourUpdate);
  }

  private static int degree(GossipState state) {
    return Math.max(1, state.neighbours().size());
  }

  /**
   * Stores the announced slots. An update tells its slots too, in case that its announcement was
   * lost.
   */
  GossipState heard(GossipState state, Event.Received received, NeighbourMessage message) {
    if (!announces) {
      return state;
    }
    PeerId from = received.from();
    GossipState next =
        state.withAnnouncement(new StoredAnnouncement(from, message.round(), message.slots()));
    boolean answer =
        message instanceof Announcement
            && state.phase() == Phase.WAITING
            && message.round() == state.round()
            && !isComplete(state, from)
            && isComplete(next, from);
    return answer
        ? GossipStateBuilder.from(next)
            .latencies(
                TimeoutPolicy.appendLatency(
                    state.latencies(), received.tick() - state.sharedTick()))
            .build()
        : next;
  }

  /**
   * What a peer sends on the arrival of a neighbour's message without a reply: the update, if this
   * message is the first to say that the neighbour needs it, or if the neighbour asks for it.
   */
  List<Effect> sendIfNeeded(
      GossipState before, GossipState after, PeerId neighbour, boolean requested) {
    boolean isNew =
        !announcementOfSharedRound(before, neighbour)
            .equals(announcementOfSharedRound(after, neighbour));
    return (isNew || requested) && needUpdates(after, neighbour)
        ? after.sharedUpdate().stream()
            .map(update -> sendUpdate(after, neighbour, update, false))
            .toList()
        : List.of();
  }

  /**
   * Whether a neighbour's part in the round is complete: its update has arrived, or its
   * announcement says that no update will arrive. A neighbour that has announced only a later round
   * cannot send its update of this round any more.
   */
  boolean isComplete(GossipState state, PeerId neighbour) {
    int current = state.round();
    return state.newestUpdate(neighbour, round -> round >= current).isPresent()
        || (state.newestAnnouncement(neighbour, round -> round >= current).isPresent()
            && !needUpdates(state, neighbour));
  }

  /**
   * Whether to send a message again that did not arrive: it is about the last update, or the
   * neighbour has not announced a later round, so that it still waits for an older update.
   */
  boolean isRetryUseful(GossipState state, PeerId neighbour, NeighbourMessage message) {
    return message.round() == state.lastSharedRound()
        || (message instanceof NeighbourUpdate
            && state
                .newestAnnouncement(neighbour, round -> true)
                .filter(announcement -> announcement.round() == message.round())
                .isPresent());
  }

  /** Whether the peer and a neighbour have updates of the same round in one of the same slots. */
  private static boolean needUpdates(GossipState state, PeerId neighbour) {
    return announcementOfSharedRound(state, neighbour)
        .filter(
            announcement ->
                state.sharedUpdate().stream()
                    .anyMatch(update -> intersect(update.slots(), announcement.slots())))
        .isPresent();
  }

  private static Optional<StoredAnnouncement> announcementOfSharedRound(
      GossipState state, PeerId neighbour) {
    return state.newestAnnouncement(neighbour, round -> round == state.lastSharedRound());
  }

  private static boolean intersect(Ints some, Ints others) {
    return Arrays.stream(some.shared())
        .anyMatch(slot -> Arrays.stream(others.shared()).anyMatch(other -> other == slot));
  }
}
