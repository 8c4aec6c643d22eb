package io.kindred.methods.rounds;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.GossipState.StoredUpdate;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.ArrayList;
import java.util.List;

/**
 * The exchange of updates with the neighbours in the topology: every peer sends its update to all
 * of them ({@link UpdateSharing}), or to those that have chosen it where links may serve one
 * direction only.
 *
 * @param staleness rounds that a neighbour's update may lag behind and still be merged
 */
record NeighbourExchange<M extends LocalState>(RoundAlgorithm<M> algorithm, int staleness)
    implements UpdateExchange {
  private UpdateSharing sharing() {
    return new UpdateSharing(algorithm.announcesSlots());
  }

  @Override
  public GossipState introduced(GossipState state, List<PeerId> neighbours) {
    return state.withNeighbours(neighbours);
  }

  /**
   * New neighbours have not received this round's update yet, nor has this peer received theirs.
   */
  @Override
  public Step<GossipState> neighboursChanged(GossipState state, List<PeerId> neighbours) {
    List<Effect> effects = new ArrayList<>();
    GossipState next = state.withNeighbours(neighbours);
    if (state.hasUpdateToShare()) {
      for (PeerId neighbour : neighbours) {
        if (!state.neighbours().contains(neighbour)
            && algorithm.context().sendsTo(neighbour)
            && algorithm.participates(neighbour, state.round())) {
          effects.addAll(sharing().share(next, neighbour, state.phase() == Phase.WAITING));
        }
      }
    }
    return new Step<>(next, effects);
  }

  @Override
  public List<Effect> share(GossipState state, boolean requestsReply) {
    List<Effect> effects = new ArrayList<>();
    for (PeerId neighbour : state.neighbours()) {
      if (algorithm.context().sendsTo(neighbour)
          && algorithm.participates(neighbour, state.round())) {
        effects.addAll(sharing().share(state, neighbour, requestsReply));
      }
    }
    return effects;
  }

  @Override
  public boolean isComplete(GossipState state) {
    return state.neighbours().stream()
        .filter(algorithm.context()::receivesFrom)
        .filter(neighbour -> algorithm.participates(neighbour, state.round()))
        .allMatch(neighbour -> sharing().isComplete(state, neighbour));
  }

  /** In the order of arrival if updates are merged on arrival. */
  @Override
  public List<PeerId> senders(GossipState state) {
    return algorithm.mergesOnArrival()
        ? state.storedUpdates().stream().map(StoredUpdate::from).distinct().toList()
        : state.neighbours().stream().filter(algorithm.context()::receivesFrom).sorted().toList();
  }

  /** A neighbour that left while its update was being merged is no neighbour of the next round. */
  @Override
  public GossipState atRound(GossipState state, int round) {
    return state.atRound(
        round,
        state.storedUpdates().stream()
            .filter(each -> each.round() >= round - staleness)
            .filter(each -> state.neighbours().contains(each.from()))
            .toList());
  }

  @Override
  public Step<GossipState> received(GossipState state, Event.Received received) {
    PeerId from = received.from();
    if (!(received.message() instanceof NeighbourMessage message)
        || !state.neighbours().contains(from)
        || !algorithm.context().receivesFrom(from)
        || !isValid(state, message)) {
      return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Effect> effects = new ArrayList<>();
    boolean late = state.isLate(message.round(), staleness);
    boolean behind = message.round() < state.lastSharedRound();
    if (late && message instanceof NeighbourUpdate) {
      effects.add(new Effect.Observe(new Observation.Counted("late-model")));
    }
    boolean asksForNewest = message.requestsReply() && message.round() == state.lastSharedRound();
    boolean isReplyNeeded =
        late ? behind || asksForNewest : message.requestsReply() && state.hasUpdateToShare();
    GossipState heard = sharing().heard(state, received, message);
    List<Effect> answer = new ArrayList<>();
    if (state.answers(from) && algorithm.context().sendsTo(from)) {
      answer.addAll(
          isReplyNeeded
              ? sharing().share(heard, from, false)
              : sharing().sendIfNeeded(state, heard, from, message.requestsReply()));
    }
    effects.addAll(answer);
    GossipState answered = UpdateSharing.hasUpdate(answer) ? heard.withAnswerTo(from) : heard;
    GossipState next =
        !late && message instanceof NeighbourUpdate update
            ? answered.storing(
                new StoredUpdate(from, update.round(), update.degree(), 0, update.update(), false),
                received.tick())
            : answered;
    return new Step<>(next, effects);
  }

  /** Messages of other peers are not trusted. */
  private boolean isValid(GossipState state, NeighbourMessage message) {
    return message.degree() >= 1
        && message.round() >= 0
        && message.round() <= algorithm.context().rounds()
        && switch (message) {
          case NeighbourUpdate neighbourUpdate ->
              neighbourUpdate
                  .update()
                  .isValid(algorithm.slots(), algorithm.layout(state.localState()));
          case Announcement announcement ->
              algorithm.announcesSlots() && announcement.isValid(algorithm.slots());
        };
  }

  /**
   * One lost message does not mean that the neighbour is down; the timeout covers missing updates.
   */
  @Override
  public Step<GossipState> sendFailed(GossipState state, Event.SendFailed failed) {
    Effect counted = new Effect.Observe(new Observation.Counted("send-failed"));
    return failed.message() instanceof NeighbourMessage message
            && message.attempt() < RETRIES
            && sharing().isRetryUseful(state, failed.to(), message)
            && state.neighbours().contains(failed.to())
        ? Step.of(state, counted, new Effect.Send(failed.to(), message.nextAttempt()))
        : Step.of(state, counted);
  }
}
