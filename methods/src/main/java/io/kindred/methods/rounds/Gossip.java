package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Mixture;
import io.kindred.methods.contract.ClaimedRounds;
import io.kindred.methods.contract.MixtureSources;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.methods.rounds.GossipState.Phase;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Rounds on a graph: a peer does its local work, shares the update with its neighbours ({@link
 * NeighbourExchange}), merges their updates, and starts the next round.
 *
 * <p>No coordinator announces rounds: a peer continues when its neighbours' updates of its own
 * round have arrived, or at its timeout. A peer that has fallen behind receives a newer message in
 * reply, and continues in the round that at least half of its neighbours have reached.
 *
 * <p>With a search, the peers that it finds after the local work are the neighbours of that round
 * ({@link PartnerExchange}).
 *
 * @param staleness rounds that a neighbour's update may lag behind and still be merged
 * @param search finds the partners of a round; empty where the topology decides
 */
public record Gossip<M extends LocalState>(
    RoundAlgorithm<M> algorithm, TimeoutPolicy timeout, int staleness, Optional<PeerSearch> search)
    implements Machine<GossipState> {
  private static final String ROUND_TIMEOUT = "round-timeout";

  public Gossip {
    if (search.isPresent()
        && (algorithm.slots() > 1 || algorithm.announcesSlots() || algorithm.mergesOnArrival())) {
      throw new IllegalArgumentException(
          "partners are searched for one model, and merged when all of them have arrived");
    }
  }

  /** Rounds with the neighbours in the topology. */
  public Gossip(RoundAlgorithm<M> algorithm, TimeoutPolicy timeout, int staleness) {
    this(algorithm, timeout, staleness, Optional.empty());
  }

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
        List.of(),
        search.map(PeerSearch::initial),
        List.of());
  }

  @Override
  public Step<GossipState> step(GossipState state, Event event) {
    return switch (event) {
      case Event.Started started ->
          startRound(exchange().introduced(state, started.neighbours()), started.tick());
      case Event.Restored restored ->
          resume(exchange().introduced(state, restored.neighbours()), restored.tick());
      case Event.Received received ->
          mergeAfter(exchange().received(state, received), received.tick());
      case Event.SendFailed failed ->
          mergeAfter(exchange().sendFailed(state, failed), failed.tick());
      case Event.NeighboursChanged changed ->
          mergeAfter(exchange().neighboursChanged(state, changed.neighbours()), changed.tick());
      case Event.TimerFired fired -> timerFired(state, fired);
      case Event.Computed computed -> computed(state, computed);
      case Event.Notified notified ->
          searchStep(
              state,
              (finder, known) -> finder.notified(known, notified.message(), state.latencies()),
              notified.tick());
      case Event.LinkMeasured _, Event.LeaveRequested _ -> Step.of(state);
    };
  }

  private PeerContext context() {
    return algorithm.context();
  }

  private M localState(LocalState stored) {
    return algorithm.stateType().cast(stored);
  }

  private Optional<PartnerExchange<M>> partners() {
    return search.map(finder -> new PartnerExchange<>(algorithm, finder, staleness));
  }

  private UpdateExchange exchange() {
    return partners()
        .<UpdateExchange>map(partners -> partners)
        .orElseGet(() -> new NeighbourExchange<>(algorithm, staleness));
  }

  /** Merges what a step of the exchange made ready. */
  private Step<GossipState> mergeAfter(Step<GossipState> exchanged, long tick) {
    return mergeIfReady(exchanged.state(), tick).precededBy(exchanged.effects());
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
      case SEARCHING -> searchStep(state, (finder, known) -> finder.resume(known, tick), tick);
      case WAITING, CHECKING, MERGING -> broadcast(state.withoutHalfMerged(), tick, true);
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
      observeMixture(state, result).map(Effect.Observe::new).ifPresent(effects::add);
      effects.add(new Effect.Compute(state.round(), result.work().get()));
      return new Step<>(GossipStateBuilder.from(state).draftState(result.state()).build(), effects);
    }
    Step<GossipState> next =
        switch (state.phase()) {
          case WORKING -> worked(state, result.state(), tick);
          case MERGING -> {
            GossipState merged = state.inPhase(Phase.WAITING, result.state());
            yield algorithm.mergesOnArrival()
                ? mergeIfReady(merged, tick)
                : completeRound(merged, tick);
          }
          case COMPLETING_ROUND ->
              roundCompleted(state.inPhase(Phase.COMPLETING_ROUND, result.state()), tick);
          case FINISHING -> Step.of(state.inPhase(Phase.DONE, result.state()));
          case SEARCHING, WAITING, CHECKING, DONE ->
              throw new IllegalStateException("no work while " + state.phase());
        };
    return next.precededBy(effects);
  }

  /** Shares the update that the peer has made, where necessary after a search for partners. */
  private Step<GossipState> worked(GossipState state, M local, long tick) {
    ModelUpdate update = algorithm.outgoingUpdate(local);
    if (search.isEmpty()) {
      return broadcast(state.inPhase(Phase.WAITING, local).sharing(update), tick, false);
    }
    PartnerExchange<M> partners = partners().orElseThrow();
    GossipState made = state.inPhase(Phase.SEARCHING, local).sharing(update);
    PeerSearch.Progress progress = partners.describe(made, state.localState(), tick);
    Step<GossipState> answered = partners.answerAskers(made.with(progress.state()));
    return searched(answered.state(), progress, tick).precededBy(answered.effects());
  }

  private Step<GossipState> searchStep(
      GossipState state,
      BiFunction<PeerSearch, PeerSearchState, PeerSearch.Progress> step,
      long tick) {
    return search.isEmpty()
        ? Step.of(state)
        : searched(state, step.apply(search.get(), state.search().orElseThrow()), tick);
  }

  /** The peers that a search found are the neighbours of this round. */
  private Step<GossipState> searched(GossipState state, PeerSearch.Progress progress, long tick) {
    GossipState next = state.with(progress.state());
    return progress
        .found()
        .map(
            found ->
                broadcast(
                    next.withPartners(found.stream().map(Candidate::peer).toList()), tick, true))
        .orElseGet(() -> Step.of(next))
        .precededBy(progress.effects());
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
      case SEARCHING ->
          searchStep(
              state,
              (finder, known) -> finder.computed(known, computed.result(), computed.tick()),
              computed.tick());
      case CHECKING -> checked(state, computed);
      case WAITING, DONE -> Step.of(state);
    };
  }

  /** Shares the update of the round with all participating neighbours, and waits for theirs. */
  private Step<GossipState> broadcast(GossipState state, long tick, boolean requestsReply) {
    GossipState next = GossipStateBuilder.from(state).sharedTick(tick).timedOut(false).build();
    List<Effect> effects = new ArrayList<>(exchange().share(next, requestsReply));
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
    boolean over = state.timedOut() || exchange().isComplete(state);
    List<PeerId> fresh = unmergedNeighbours(state, over);
    if (algorithm.mergesOnArrival()) {
      if (!fresh.isEmpty()) {
        return merge(state.merging(fresh), tick);
      }
      return over ? completeRound(state, tick) : Step.of(state);
    }
    return over ? checkAndMerge(state.merging(fresh), tick) : Step.of(state);
  }

  /** Checks updates of partners first, where discovery wants to know what they are. */
  private Step<GossipState> checkAndMerge(GossipState state, long tick) {
    return partners()
        .flatMap(partners -> partners.check(state))
        .map(check -> Step.of(GossipStateBuilder.from(state).phase(Phase.CHECKING).build(), check))
        .orElseGet(() -> merge(state, tick));
  }

  private Step<GossipState> checked(GossipState state, Event.Computed computed) {
    if (!(computed.result() instanceof Result.Answered(CompareModels.Comparisons comparisons))) {
      return Step.of(state);
    }
    Step<GossipState> checked = partners().orElseThrow().checked(state, comparisons);
    return merge(checked.state(), computed.tick()).precededBy(checked.effects());
  }

  /**
   * Peers with an update that is not merged yet. Until the wait is over only updates of this round
   * count, then also older and newer ones.
   */
  private List<PeerId> unmergedNeighbours(GossipState state, boolean over) {
    return exchange().senders(state).stream()
        .filter(neighbour -> !state.merged().contains(neighbour))
        .filter(
            neighbour ->
                over
                    ? state.usableUpdate(neighbour, staleness).isPresent()
                    : state.newestUpdate(neighbour, round -> round == state.round()).isPresent())
        .toList();
  }

  private RoundUpdates roundUpdates(GossipState state) {
    return new RoundUpdates(
        state.degree(),
        context().samples(),
        state.merging().stream()
            .flatMap(neighbour -> state.usableUpdate(neighbour, staleness).stream())
            .map(stored -> new ReceivedUpdate(stored.from(), stored.degree(), stored.update()))
            .toList());
  }

  private Optional<Observation> observeMixture(GossipState state, PhaseResult<M> result) {
    if (result.mixing().isEmpty()
        || !(result.work().orElseThrow() instanceof Ticket.Mix(Mixture mixture))) {
      return Optional.empty();
    }
    PhaseResult.Mixing mixing = result.mixing().get();
    MixtureSources sources =
        new MixtureSources(
            context().self(),
            Stream.concat(
                    state.sharedUpdate().stream()
                        .flatMap(own -> own.sources(context().self(), state.round(), algorithm)),
                    state.merging().stream()
                        .flatMap(neighbour -> state.usableUpdate(neighbour, staleness).stream())
                        .flatMap(
                            stored ->
                                stored.update().sources(stored.from(), stored.round(), algorithm)))
                .toList());
    return Optional.of(sources.observe(state.round(), mixing.slot(), mixing.weighting(), mixture));
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
    return startRound(exchange().atRound(state, nextRound(state)), tick);
  }

  private Step<GossipState> finish(GossipState state, long tick) {
    GossipState next = state.inPhase(Phase.FINISHING, state.localState());
    return advance(next, algorithm.finish(localState(next.localState()), Optional.empty()), tick);
  }

  /**
   * The next round, or a later one that half of the neighbours have reached, among those that were
   * heard in this round or within the staleness bound. One neighbour alone moves the peer by a
   * bounded step ({@link ClaimedRounds}).
   */
  private int nextRound(GossipState state) {
    List<Integer> claims =
        state.neighbours().stream()
            .flatMapToInt(neighbour -> state.reachedRound(neighbour).stream())
            .filter(round -> round >= state.round() - staleness)
            .boxed()
            .toList();
    return Math.max(
        state.round() + 1, ClaimedRounds.reached(claims, state.round(), context().rounds()));
  }

  private Step<GossipState> timerFired(GossipState state, Event.TimerFired fired) {
    return fired.timer().name().equals(ROUND_TIMEOUT)
        ? roundTimedOut(state, fired)
        : searchStep(
            state, (finder, known) -> finder.timerFired(known, fired.timer()), fired.tick());
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
