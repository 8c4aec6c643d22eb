package io.kindred.methods.rounds;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Layout;
import io.kindred.core.work.Result;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.GossipState.Heard;
import io.kindred.methods.rounds.GossipState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Rounds on a graph: a peer works, sends what came of it to its neighbours, takes in theirs, and
 * goes on.
 *
 * <p>Nobody announces rounds: a peer goes on when its neighbours' parcels of its own round are in,
 * or when its patience ends. Who has fallen behind is answered with something newer, and goes on in
 * the round that most of its neighbours are in.
 *
 * @param staleness rounds that a neighbour's parcel may lag behind and still be taken in
 */
public record Gossip<M extends Memory>(Recipe<M> recipe, Patience patience, int staleness)
    implements Machine<GossipState> {
  /** How often a peer sends a parcel that did not arrive once more. */
  private static final int RETRIES = 5;

  private static final String PATIENCE = "patience";

  /**
   * A peer says: this is what came of my work in this round, and I have so many neighbours.
   *
   * @param asks whether it lacks the receiver's parcel of the round
   * @param attempt how often it was sent in vain
   */
  @Named("rounds/offer")
  public record Offer(int round, int degree, Parcel parcel, boolean asks, int attempt)
      implements Message {
    Offer again() {
      return new Offer(round, degree, parcel, asks, attempt + 1);
    }
  }

  /** The machine as the only layer of a method. */
  public List<Layer<?>> alone() {
    return List.of(new Layer<>(Component.METHOD, this, GossipState.class));
  }

  @Override
  public GossipState initial() {
    M memory = recipe.initial();
    return new GossipState(
        1,
        Phase.WORKING,
        memory,
        memory,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        0,
        false,
        0,
        List.of());
  }

  @Override
  public Step<GossipState> step(GossipState state, Event event) {
    return switch (event) {
      case Event.Started started -> begin(state.meeting(started.neighbours()), started.tick());
      case Event.Restored restored -> resume(state.meeting(restored.neighbours()), restored.tick());
      case Event.Received received -> received(state, received);
      case Event.SendFailed failed -> sendAgain(state, failed);
      case Event.TimerFired fired -> patienceEnded(state, fired);
      case Event.Computed computed -> computed(state, computed);
      case Event.NeighboursChanged changed -> changed(state, changed);
      case Event.LinkMeasured _, Event.LeaveRequested _, Event.Told _ -> Step.of(state);
    };
  }

  private PeerContext context() {
    return recipe.context();
  }

  private M memory(Memory remembered) {
    return recipe.memoryType().cast(remembered);
  }

  /** A new round; who takes no part in it leaves everything as it is. */
  private Step<GossipState> begin(GossipState state, long tick) {
    GossipState next = state.in(Phase.WORKING, state.memory());
    return recipe.takesPart(context().self(), next.round())
        ? take(next, recipe.work(memory(next.memory()), next.round(), Optional.empty()), tick)
        : settle(next, tick);
  }

  private Step<GossipState> resume(GossipState state, long tick) {
    return switch (state.phase()) {
      case WORKING -> begin(state, tick);
      case WAITING, MERGING -> share(state.withoutHalfMerged(), tick, true);
      case SETTLING -> settle(state, tick);
      case FINISHING -> finish(state, tick);
      case DONE -> Step.of(state);
    };
  }

  /** Goes on with a turn: to its work, or to the next phase. */
  private Step<GossipState> take(GossipState state, Turn<M> turn, long tick) {
    List<Effect> effects = new ArrayList<>();
    turn.observations().forEach(each -> effects.add(new Effect.Observe(each)));
    if (turn.work().isPresent()) {
      effects.add(new Effect.Compute(state.round(), turn.work().get()));
      return new Step<>(state.drafting(turn.memory()), effects);
    }
    return after(
        effects,
        switch (state.phase()) {
          case WORKING -> share(state.in(Phase.WAITING, turn.memory()), tick, false);
          case MERGING -> {
            GossipState merged = state.in(Phase.WAITING, turn.memory());
            yield recipe.asTheyCome() ? goOn(merged, tick) : settle(merged, tick);
          }
          case SETTLING -> settled(state.in(Phase.SETTLING, turn.memory()), tick);
          case FINISHING -> Step.of(state.in(Phase.DONE, turn.memory()));
          case WAITING, DONE -> throw new IllegalStateException("no work while " + state.phase());
        });
  }

  private static Step<GossipState> after(List<Effect> before, Step<GossipState> step) {
    List<Effect> effects = new ArrayList<>(before);
    effects.addAll(step.effects());
    return new Step<>(step.state(), effects);
  }

  private Step<GossipState> computed(GossipState state, Event.Computed computed) {
    if (computed.ticket() != state.round()) {
      return Step.of(state);
    }
    M draft = memory(state.draft());
    Optional<Result> last = Optional.of(computed.result());
    int round = state.round();
    return switch (state.phase()) {
      case WORKING -> take(state, recipe.work(draft, round, last), computed.tick());
      case MERGING ->
          take(state, recipe.merge(draft, round, exchange(state), last), computed.tick());
      case SETTLING -> take(state, recipe.settle(draft, round, last), computed.tick());
      case FINISHING -> take(state, recipe.finish(draft, last), computed.tick());
      case WAITING, DONE -> Step.of(state);
    };
  }

  /** Sends the parcel of the round to everybody who takes part in it, and waits for theirs. */
  private Step<GossipState> share(GossipState state, long tick, boolean asks) {
    GossipState next = state.offering().sharing(tick, false);
    List<Effect> effects = new ArrayList<>();
    Offer offer = own(next, asks);
    for (PeerId neighbour : next.neighbours()) {
      if (recipe.takesPart(neighbour, next.round())) {
        effects.add(new Effect.Send(neighbour, offer));
      }
    }
    effects.add(
        new Effect.SetTimer(new Timer(PATIENCE, next.round()), patience.ticks(next.answers())));
    return after(effects, goOn(next, tick));
  }

  private Offer own(GossipState state, boolean asks) {
    int degree = Math.max(1, state.neighbours().size());
    return new Offer(state.offered(), degree, recipe.parcel(memory(state.memory())), asks, 0);
  }

  /** Takes in what is there, once it is time. */
  private Step<GossipState> goOn(GossipState state, long tick) {
    if (state.phase() != Phase.WAITING) {
      return Step.of(state);
    }
    boolean over = state.closed() || isComplete(state);
    List<PeerId> fresh = fresh(state, over);
    if (recipe.asTheyCome()) {
      if (!fresh.isEmpty()) {
        return merge(state.merging(fresh), tick);
      }
      return over ? settle(state, tick) : Step.of(state);
    }
    return over ? merge(state.merging(fresh), tick) : Step.of(state);
  }

  private boolean isComplete(GossipState state) {
    return state.neighbours().stream()
        .filter(neighbour -> recipe.takesPart(neighbour, state.round()))
        .allMatch(each -> state.newest(each, round -> round >= state.round()).isPresent());
  }

  /**
   * Who has something that is not taken in yet: as they come, in the order in which they came, what
   * is of this very round; in the end also what is older or newer.
   */
  private List<PeerId> fresh(GossipState state, boolean over) {
    return (recipe.asTheyCome()
            ? state.heard().stream().map(Heard::from).distinct()
            : state.neighbours().stream().sorted())
        .filter(neighbour -> !state.merged().contains(neighbour))
        .filter(
            neighbour ->
                over
                    ? offered(state, neighbour).isPresent()
                    : state.newest(neighbour, round -> round == state.round()).isPresent())
        .toList();
  }

  /** A neighbour's offer of this round, else the newest that there is. */
  private Optional<Heard> offered(GossipState state, PeerId neighbour) {
    int oldest = state.round() - staleness;
    return state
        .newest(neighbour, round -> round <= state.round() && round >= oldest)
        .or(() -> state.newest(neighbour, round -> round > state.round()));
  }

  private Exchange exchange(GossipState state) {
    return new Exchange(
        state.degree(),
        state.merging().stream()
            .flatMap(neighbour -> offered(state, neighbour).stream())
            .map(heard -> new Arrival(heard.from(), heard.offer().degree(), heard.offer().parcel()))
            .toList());
  }

  private Step<GossipState> merge(GossipState state, long tick) {
    M memory = memory(state.memory());
    return take(
        state, recipe.merge(memory, state.round(), exchange(state), Optional.empty()), tick);
  }

  private Step<GossipState> settle(GossipState state, long tick) {
    GossipState next = state.in(Phase.SETTLING, state.memory());
    return take(next, recipe.settle(memory(next.memory()), next.round(), Optional.empty()), tick);
  }

  private Step<GossipState> settled(GossipState state, long tick) {
    if (state.round() == context().rounds()) {
      return finish(state.at(state.round(), List.of()), tick);
    }
    int round = nextRound(state);
    // Who went while its offer was being taken in is no neighbour of the next round.
    List<Heard> kept =
        state.heard().stream()
            .filter(each -> each.offer().round() >= round - staleness)
            .filter(each -> state.neighbours().contains(each.from()))
            .toList();
    return begin(state.at(round, kept), tick);
  }

  private Step<GossipState> finish(GossipState state, long tick) {
    GossipState next = state.in(Phase.FINISHING, state.memory());
    return take(next, recipe.finish(memory(next.memory()), Optional.empty()), tick);
  }

  /** The next one, or the one that half of the neighbours who were heard are in. */
  private static int nextRound(GossipState state) {
    List<Integer> rounds =
        state.neighbours().stream()
            .flatMap(neighbour -> state.newest(neighbour, round -> true).stream())
            .map(heard -> heard.offer().round())
            .sorted()
            .toList();
    return rounds.isEmpty()
        ? state.round() + 1
        : Math.max(state.round() + 1, rounds.get((rounds.size() - 1) / 2));
  }

  /** New neighbours have not got this round's parcel yet, nor this peer theirs. */
  private Step<GossipState> changed(GossipState state, Event.NeighboursChanged changed) {
    List<Effect> effects = new ArrayList<>();
    GossipState next = state.meeting(changed.neighbours());
    if (state.hasWorked()) {
      for (PeerId neighbour : changed.neighbours()) {
        if (!state.neighbours().contains(neighbour) && recipe.takesPart(neighbour, state.round())) {
          effects.add(new Effect.Send(neighbour, own(next, state.phase() == Phase.WAITING)));
        }
      }
    }
    return after(effects, goOn(next, changed.tick()));
  }

  private Step<GossipState> received(GossipState state, Event.Received received) {
    if (!(received.message() instanceof Offer offer)
        || !state.neighbours().contains(received.from())
        || offer.degree() < 1
        || offer.round() < 0
        || offer.round() > context().rounds()
        || !offer.parcel().isSound(recipe.slots(), layout(state))) {
      return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Effect> effects = new ArrayList<>();
    boolean late =
        offer.round() < state.round() - staleness
            || state.phase() == Phase.DONE
            || state.phase() == Phase.FINISHING;
    boolean behind = offer.round() < state.offered();
    if (late) {
      effects.add(new Effect.Observe(new Observation.Counted("late-model")));
    }
    boolean asksForNewest = offer.asks() && offer.round() == state.offered();
    if (late ? behind || asksForNewest : offer.asks() && state.hasWorked()) {
      effects.add(new Effect.Send(received.from(), own(state, false)));
    }
    return late
        ? new Step<>(state, effects)
        : after(effects, goOn(hear(state, received, offer), received.tick()));
  }

  private Layout layout(GossipState state) {
    return recipe.parcel(memory(state.memory())).items().getFirst().weights().layout();
  }

  /**
   * Keeps an offer unless one as new is there; of each neighbour two at most, a bound on memory.
   * One that is just being taken in stays.
   */
  private static GossipState hear(GossipState state, Event.Received received, Offer offer) {
    PeerId from = received.from();
    IntPredicate sameKind =
        offer.round() <= state.round()
            ? round -> round <= state.round()
            : round -> round > state.round();
    Optional<Heard> known = state.newest(from, sameKind);
    boolean taken = offer.round() <= state.round() && state.merging().contains(from);
    if (taken
        || (known.isPresent()
            && (known.get().offer().round() >= offer.round() || state.merging().contains(from)))) {
      return state;
    }
    List<Heard> heard = new ArrayList<>(state.heard());
    known.ifPresent(heard::remove);
    heard.add(new Heard(from, offer));
    boolean answer = state.phase() == Phase.WAITING && offer.round() == state.round();
    return state.hearing(
        heard,
        answer
            ? Patience.remember(state.answers(), received.tick() - state.sharedTick())
            : state.answers());
  }

  /** One lost message says nothing of the neighbour; patience covers what it may not send. */
  private Step<GossipState> sendAgain(GossipState state, Event.SendFailed failed) {
    Effect counted = new Effect.Observe(new Observation.Counted("send-failed"));
    return failed.message() instanceof Offer offer
            && offer.attempt() < RETRIES
            && offer.round() == state.offered()
            && state.neighbours().contains(failed.to())
        ? Step.of(state, counted, new Effect.Send(failed.to(), offer.again()))
        : Step.of(state, counted);
  }

  private Step<GossipState> patienceEnded(GossipState state, Event.TimerFired fired) {
    boolean waits =
        state.phase() == Phase.WAITING || (state.phase() == Phase.MERGING && recipe.asTheyCome());
    if (fired.timer().number() != state.round() || !waits || state.closed()) {
      return Step.of(state);
    }
    return after(
        List.of(new Effect.Observe(new Observation.Counted("patience-ended"))),
        goOn(state.sharing(state.sharedTick(), true), fired.tick()));
  }
}
