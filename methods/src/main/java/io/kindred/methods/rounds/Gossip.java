package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Layout;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.methods.rounds.GossipState.StoredUpdate;
import io.kindred.methods.rounds.NeighbourMessage.Announcement;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Rounds on a graph: a peer does its local work, shares the update with its neighbours ({@link
 * UpdateSharing}), merges their updates, and starts the next round.
 *
 * <p>No coordinator announces rounds: a peer continues when its neighbours' updates of its own
 * round have arrived, or at its timeout. A peer that has fallen behind receives a newer message in
 * reply, and continues in the round that at least half of its neighbours have reached.
 *
 * @param staleness rounds that a neighbour's update may lag behind and still be merged
 */
public record Gossip<M extends LocalState>(
    RoundAlgorithm<M> algorithm, TimeoutPolicy timeout, int staleness)
    implements Machine<GossipState> {
  /** How often a peer retries to send an update that did not arrive. */
  private static final int RETRIES = 5;

  private static final String ROUND_TIMEOUT = "round-timeout";

  /** The machine as the only layer of a method. */
  public List<PeerLayer<?>> singleLayer() {
    return List.of(new PeerLayer<>(Component.METHOD, this, GossipState.class));
  }

  @Override
  public GossipState initial() {
    M local = algorithm.initial();
    return new GossipState(
        1,
        Phase.WORKING,
        local,
        local,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        0,
        Optional.empty(),
        List.of(),
        false,
        0,
        List.of());
  }

  @Override
  public Step<GossipState> step(GossipState state, Event event) {
    return switch (event) {
      case Event.Started started ->
          startRound(state.withNeighbours(started.neighbours()), started.tick());
      case Event.Restored restored ->
          resume(state.withNeighbours(restored.neighbours()), restored.tick());
      case Event.Received received -> received(state, received);
      case Event.SendFailed failed -> sendAgain(state, failed);
      case Event.TimerFired fired -> roundTimedOut(state, fired);
      case Event.Computed computed -> computed(state, computed);
      case Event.NeighboursChanged changed -> neighboursChanged(state, changed);
      case Event.LinkMeasured _, Event.LeaveRequested _, Event.Notified _ -> Step.of(state);
    };
  }

  private PeerContext context() {
    return algorithm.context();
  }

  private M localState(LocalState stored) {
    return algorithm.stateType().cast(stored);
  }

  private UpdateSharing sharing() {
    return new UpdateSharing(algorithm.announcesSlots());
  }

  /** Starts a round; a peer that does not participate goes straight to its last phase. */
  private Step<GossipState> startRound(GossipState state, long tick) {
    GossipState next = state.inPhase(Phase.WORKING, state.localState());
    return algorithm.participates(context().self(), next.round())
        ? advance(
            next,
            algorithm.work(localState(next.localState()), next.round(), Optional.empty()),
            tick)
        : completeRound(next, tick);
  }

  private Step<GossipState> resume(GossipState state, long tick) {
    return switch (state.phase()) {
      case WORKING -> startRound(state, tick);
      case WAITING, MERGING -> broadcast(state.withoutHalfMerged(), tick, true);
      case COMPLETING_ROUND -> completeRound(state, tick);
      case FINISHING -> finish(state, tick);
      case DONE -> Step.of(state);
    };
  }

  /** Continues with the result of a phase: computes its ticket, or enters the next phase. */
  private Step<GossipState> advance(GossipState state, PhaseResult<M> result, long tick) {
    List<Effect> effects = new ArrayList<>();
    result.observations().forEach(each -> effects.add(new Effect.Observe(each)));
    if (result.work().isPresent()) {
      effects.add(new Effect.Compute(state.round(), result.work().get()));
      return new Step<>(GossipStateBuilder.from(state).draftState(result.state()).build(), effects);
    }
    Step<GossipState> next =
        switch (state.phase()) {
          case WORKING ->
              broadcast(
                  state
                      .inPhase(Phase.WAITING, result.state())
                      .sharing(algorithm.outgoingUpdate(result.state())),
                  tick,
                  false);
          case MERGING -> {
            GossipState merged = state.inPhase(Phase.WAITING, result.state());
            yield algorithm.mergesOnArrival()
                ? mergeIfReady(merged, tick)
                : completeRound(merged, tick);
          }
          case COMPLETING_ROUND ->
              roundCompleted(state.inPhase(Phase.COMPLETING_ROUND, result.state()), tick);
          case FINISHING -> Step.of(state.inPhase(Phase.DONE, result.state()));
          case WAITING, DONE -> throw new IllegalStateException("no work while " + state.phase());
        };
    return next.precededBy(effects);
  }

  private Step<GossipState> computed(GossipState state, Event.Computed computed) {
    if (computed.ticket() != state.round()) {
      return Step.of(state);
    }
    M draft = localState(state.draftState());
    Optional<Result> last = Optional.of(computed.result());
    int round = state.round();
    return switch (state.phase()) {
      case WORKING -> advance(state, algorithm.work(draft, round, last), computed.tick());
      case MERGING ->
          advance(state, algorithm.merge(draft, round, roundUpdates(state), last), computed.tick());
      case COMPLETING_ROUND ->
          advance(state, algorithm.completeRound(draft, round, last), computed.tick());
      case FINISHING -> advance(state, algorithm.finish(draft, last), computed.tick());
      case WAITING, DONE -> Step.of(state);
    };
  }

  /** Shares the update of the round with all participating neighbours, and waits for theirs. */
  private Step<GossipState> broadcast(GossipState state, long tick, boolean requestsReply) {
    GossipState next = GossipStateBuilder.from(state).sharedTick(tick).timedOut(false).build();
    List<Effect> effects = new ArrayList<>();
    for (PeerId neighbour : next.neighbours()) {
      if (algorithm.participates(neighbour, next.round())) {
        effects.addAll(sharing().share(next, neighbour, requestsReply));
      }
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(ROUND_TIMEOUT, next.round()), timeout.ticks(next.latencies())));
    return mergeIfReady(next, tick).precededBy(effects);
  }

  /** Merges received updates: on arrival, or once the wait of the round is over. */
  private Step<GossipState> mergeIfReady(GossipState state, long tick) {
    if (state.phase() != Phase.WAITING) {
      return Step.of(state);
    }
    boolean over = state.timedOut() || isComplete(state);
    List<PeerId> fresh = unmergedNeighbours(state, over);
    if (algorithm.mergesOnArrival()) {
      if (!fresh.isEmpty()) {
        return merge(state.merging(fresh), tick);
      }
      return over ? completeRound(state, tick) : Step.of(state);
    }
    return over ? merge(state.merging(fresh), tick) : Step.of(state);
  }

  private boolean isComplete(GossipState state) {
    return state.neighbours().stream()
        .filter(neighbour -> algorithm.participates(neighbour, state.round()))
        .allMatch(neighbour -> sharing().isComplete(state, neighbour));
  }

  /**
   * Neighbours with an update that is not merged yet, in the order of arrival if updates are merged
   * on arrival. Until the wait is over only updates of this round count, then also older and newer
   * ones.
   */
  private List<PeerId> unmergedNeighbours(GossipState state, boolean over) {
    return (algorithm.mergesOnArrival()
            ? state.storedUpdates().stream().map(StoredUpdate::from).distinct()
            : state.neighbours().stream().sorted())
        .filter(neighbour -> !state.merged().contains(neighbour))
        .filter(
            neighbour ->
                over
                    ? usableUpdate(state, neighbour).isPresent()
                    : state.newestUpdate(neighbour, round -> round == state.round()).isPresent())
        .toList();
  }

  /** A neighbour's newest update up to this round that is not too old, else its newest one. */
  private Optional<StoredUpdate> usableUpdate(GossipState state, PeerId neighbour) {
    int oldest = state.round() - staleness;
    return state
        .newestUpdate(neighbour, round -> round <= state.round() && round >= oldest)
        .or(() -> state.newestUpdate(neighbour, round -> round > state.round()));
  }

  private RoundUpdates roundUpdates(GossipState state) {
    return new RoundUpdates(
        state.degree(),
        state.merging().stream()
            .flatMap(neighbour -> usableUpdate(state, neighbour).stream())
            .map(
                storedUpdate ->
                    new ReceivedUpdate(
                        storedUpdate.from(),
                        storedUpdate.update().degree(),
                        storedUpdate.update().update()))
            .toList());
  }

  private Step<GossipState> merge(GossipState state, long tick) {
    M local = localState(state.localState());
    return advance(
        state, algorithm.merge(local, state.round(), roundUpdates(state), Optional.empty()), tick);
  }

  private Step<GossipState> completeRound(GossipState state, long tick) {
    GossipState next = state.inPhase(Phase.COMPLETING_ROUND, state.localState());
    return advance(
        next,
        algorithm.completeRound(localState(next.localState()), next.round(), Optional.empty()),
        tick);
  }

  private Step<GossipState> roundCompleted(GossipState state, long tick) {
    if (state.round() == context().rounds()) {
      return finish(state.atRound(state.round(), List.of()), tick);
    }
    int round = nextRound(state);
    // A neighbour that left while its update was being merged is no neighbour of the next round.
    List<StoredUpdate> kept =
        state.storedUpdates().stream()
            .filter(each -> each.update().round() >= round - staleness)
            .filter(each -> state.neighbours().contains(each.from()))
            .toList();
    return startRound(state.atRound(round, kept), tick);
  }

  private Step<GossipState> finish(GossipState state, long tick) {
    GossipState next = state.inPhase(Phase.FINISHING, state.localState());
    return advance(next, algorithm.finish(localState(next.localState()), Optional.empty()), tick);
  }

  /**
   * The next round, or a later one that half of the neighbours have reached, among those that were
   * heard in this round or within the staleness bound.
   */
  private int nextRound(GossipState state) {
    int[] rounds =
        state.neighbours().stream()
            .flatMapToInt(neighbour -> state.reachedRound(neighbour).stream())
            .filter(round -> round >= state.round() - staleness)
            .sorted()
            .toArray();
    return rounds.length == 0
        ? state.round() + 1
        : Math.max(state.round() + 1, rounds[(rounds.length - 1) / 2]);
  }

  /**
   * New neighbours have not received this round's update yet, nor has this peer received theirs.
   */
  private Step<GossipState> neighboursChanged(GossipState state, Event.NeighboursChanged changed) {
    List<Effect> effects = new ArrayList<>();
    GossipState next = state.withNeighbours(changed.neighbours());
    if (state.hasUpdateToShare()) {
      for (PeerId neighbour : changed.neighbours()) {
        if (!state.neighbours().contains(neighbour)
            && algorithm.participates(neighbour, state.round())) {
          effects.addAll(sharing().share(next, neighbour, state.phase() == Phase.WAITING));
        }
      }
    }
    return mergeIfReady(next, changed.tick()).precededBy(effects);
  }

  private Step<GossipState> received(GossipState state, Event.Received received) {
    PeerId from = received.from();
    if (!(received.message() instanceof NeighbourMessage message)
        || !state.neighbours().contains(from)
        || !isValid(state, message)) {
      return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Effect> effects = new ArrayList<>();
    boolean late =
        message.round() < state.round() - staleness
            || state.phase() == Phase.DONE
            || state.phase() == Phase.FINISHING;
    boolean behind = message.round() < state.lastSharedRound();
    if (late && message instanceof NeighbourUpdate) {
      effects.add(new Effect.Observe(new Observation.Counted("late-model")));
    }
    boolean asksForNewest = message.requestsReply() && message.round() == state.lastSharedRound();
    boolean isReplyNeeded =
        late ? behind || asksForNewest : message.requestsReply() && state.hasUpdateToShare();
    GossipState heard = sharing().heard(state, received, message);
    List<Effect> answer = new ArrayList<>();
    if (state.answers(from)) {
      answer.addAll(
          isReplyNeeded
              ? sharing().share(heard, from, false)
              : sharing().sendIfNeeded(state, heard, from, message.requestsReply()));
    }
    effects.addAll(answer);
    GossipState answered = UpdateSharing.hasUpdate(answer) ? heard.withAnswerTo(from) : heard;
    if (late) {
      return new Step<>(answered, effects);
    }
    GossipState next =
        message instanceof NeighbourUpdate neighbourUpdate
            ? storeUpdate(answered, received, neighbourUpdate)
            : answered;
    return mergeIfReady(next, received.tick()).precededBy(effects);
  }

  /** Messages of other peers are not trusted. */
  private boolean isValid(GossipState state, NeighbourMessage message) {
    return message.degree() >= 1
        && message.round() >= 0
        && message.round() <= context().rounds()
        && switch (message) {
          case NeighbourUpdate neighbourUpdate ->
              neighbourUpdate.update().isValid(algorithm.slots(), layout(state));
          case Announcement announcement ->
              algorithm.announcesSlots() && announcement.isValid(algorithm.slots());
        };
  }

  private Layout layout(GossipState state) {
    return algorithm
        .outgoingUpdate(localState(state.localState()))
        .models()
        .getFirst()
        .weights()
        .layout();
  }

  /**
   * Stores an update unless one at least as new is stored; at most two for each neighbour, a bound
   * on memory. An update that is being merged is not replaced.
   */
  private static GossipState storeUpdate(
      GossipState state, Event.Received received, NeighbourUpdate neighbourUpdate) {
    PeerId from = received.from();
    IntPredicate sameKind =
        neighbourUpdate.round() <= state.round()
            ? round -> round <= state.round()
            : round -> round > state.round();
    Optional<StoredUpdate> known = state.newestUpdate(from, sameKind);
    boolean taken = neighbourUpdate.round() <= state.round() && state.merging().contains(from);
    if (taken
        || (known.isPresent()
            && (known.get().update().round() >= neighbourUpdate.round()
                || state.merging().contains(from)))) {
      return state;
    }
    List<StoredUpdate> updates = new ArrayList<>(state.storedUpdates());
    known.ifPresent(updates::remove);
    updates.add(new StoredUpdate(from, neighbourUpdate));
    boolean answer = state.phase() == Phase.WAITING && neighbourUpdate.round() == state.round();
    GossipStateBuilder next = GossipStateBuilder.from(state).storedUpdates(updates);
    if (answer) {
      next.latencies(
          TimeoutPolicy.appendLatency(state.latencies(), received.tick() - state.sharedTick()));
    }
    return next.build();
  }

  /**
   * One lost message does not mean that the neighbour is down; the timeout covers missing updates.
   */
  private Step<GossipState> sendAgain(GossipState state, Event.SendFailed failed) {
    Effect counted = new Effect.Observe(new Observation.Counted("send-failed"));
    return failed.message() instanceof NeighbourMessage message
            && message.attempt() < RETRIES
            && sharing().isRetryUseful(state, failed.to(), message)
            && state.neighbours().contains(failed.to())
        ? Step.of(state, counted, new Effect.Send(failed.to(), message.nextAttempt()))
        : Step.of(state, counted);
  }

  private Step<GossipState> roundTimedOut(GossipState state, Event.TimerFired fired) {
    boolean waits =
        state.phase() == Phase.WAITING
            || (state.phase() == Phase.MERGING && algorithm.mergesOnArrival());
    if (fired.timer().number() != state.round() || !waits || state.timedOut()) {
      return Step.of(state);
    }
    return mergeIfReady(GossipStateBuilder.from(state).timedOut(true).build(), fired.tick())
        .precededBy(new Effect.Observe(new Observation.Counted("patience-ended")));
  }
}
