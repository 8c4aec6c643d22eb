package io.kindred.methods;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The rounds of every method on a graph in which neighbours exchange models: train, send, wait,
 * mix. What a method does in each of them is in its {@link GossipRules}.
 *
 * <p>Nobody announces rounds: a peer mixes when its neighbours' models of its own round are in, or
 * when its patience ends; what is missing then goes to its own share, so the weights still sum to
 * one. Who has fallen behind is answered with a newer model, and goes on in the round that most of
 * its neighbours are in.
 */
record Gossip(GossipRules rules, PeerContext context) implements Machine<Gossip.State> {
  /** How often a peer sends a model that did not arrive once more. */
  private static final int RETRIES = 5;

  /**
   * A peer says: this is my model after training in this round, and I have so many neighbours.
   *
   * @param asks whether it lacks the receiver's model of the round
   * @param attempt how often it was sent in vain
   */
  @Named("gossip/trained-model")
  public record TrainedModel(int round, int degree, Weights weights, boolean asks, int attempt)
      implements Message {}

  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    WAITING,
    /** Working out how much of whose model to take. */
    WEIGHING,
    MIXING,
    DONE
  }

  /**
   * What a peer remembers.
   *
   * @param weights the ones to train from while training, the trained ones afterwards
   * @param heard of each neighbour the newest model of a round up to this one, and the newest of a
   *     later one
   * @param sharedTick when the peer sent out its model of this round
   * @param answers how long the last neighbours took to send theirs
   * @param estimate what was worked out about the neighbours' models
   */
  public record State(
      int round,
      Phase phase,
      Weights weights,
      List<PeerId> neighbours,
      List<Heard> heard,
      long sharedTick,
      List<Long> answers,
      Optional<Estimate> estimate) {
    State(
        int round,
        Phase phase,
        Weights weights,
        List<PeerId> neighbours,
        List<Heard> heard,
        long sharedTick,
        List<Long> answers) {
      this(round, phase, weights, neighbours, heard, sharedTick, answers, Optional.empty());
    }

    State with(Phase next) {
      return new State(round, next, weights, neighbours, heard, sharedTick, answers, estimate);
    }

    State hearing(List<Heard> models, List<Long> newAnswers) {
      return new State(round, phase, weights, neighbours, models, sharedTick, newAnswers, estimate);
    }

    State knowing(Estimate newest) {
      return new State(
          round, phase, weights, neighbours, heard, sharedTick, answers, Optional.of(newest));
    }

    /** Whether its weights are what it trained in this round. */
    boolean hasTrained() {
      return phase == Phase.WAITING || phase == Phase.WEIGHING || phase == Phase.MIXING;
    }

    Optional<Heard> newest(PeerId neighbour, IntPredicate rounds) {
      return heard.stream()
          .filter(each -> each.from().equals(neighbour) && rounds.test(each.model().round()))
          .max(Comparator.comparingInt(each -> each.model().round()));
    }
  }

  /** A neighbour's model. */
  public record Heard(PeerId from, TrainedModel model) {}

  /**
   * What is known about how much of whose model to take.
   *
   * @param round in which it was worked out
   * @param peers whom it is about
   * @param shares one for each of them
   * @param refit where it is being worked out with components of its own
   */
  public record Estimate(
      int round, List<PeerId> peers, List<Double> shares, Optional<Refit> refit) {
    double shareOf(PeerId peer) {
      int place = peers.indexOf(peer);
      return place < 0 ? 0 : shares.get(place);
    }
  }

  /**
   * Copies of the neighbours' models that are fitted to the own data, one after the other.
   *
   * @param iteration how many times all of them were fitted
   * @param next which is fitted now
   * @param responsibilities how far each sample belongs to each of them
   */
  public record Refit(
      List<Weights> components, int iteration, int next, List<Floats> responsibilities) {}

  private static final String PATIENCE = "patience";

  @Override
  public State initial() {
    return new State(
        1, Phase.TRAINING, context.initialWeights().apply(0), List.of(), List.of(), 0, List.of());
  }

  @Override
  public Step<State> step(State state, Event event) {
    return switch (event) {
      case Event.Started started -> {
        State next = meet(state, started.neighbours());
        yield Step.of(next, train(next));
      }
      case Event.Restored restored -> resume(meet(state, restored.neighbours()), restored.tick());
      case Event.Received received -> received(state, received);
      case Event.SendFailed failed -> sendAgain(state, failed);
      case Event.TimerFired fired -> patienceEnded(state, fired.timer());
      case Event.Computed computed -> computed(state, computed);
      case Event.NeighboursChanged changed -> changed(state, changed.neighbours());
      case Event.LinkMeasured _, Event.LeaveRequested _, Event.Told _ -> Step.of(state);
    };
  }

  private static State meet(State state, List<PeerId> neighbours) {
    List<Heard> kept =
        state.heard().stream().filter(heard -> neighbours.contains(heard.from())).toList();
    return new State(
        state.round(),
        state.phase(),
        state.weights(),
        neighbours,
        kept,
        state.sharedTick(),
        state.answers(),
        state.estimate());
  }

  /** New neighbours have not got this round's model yet, nor this peer theirs. */
  private Step<State> changed(State state, List<PeerId> neighbours) {
    List<Effect> effects = new ArrayList<>();
    State next = meet(state, neighbours);
    if (state.hasTrained()) {
      for (PeerId neighbour : neighbours) {
        if (!state.neighbours().contains(neighbour) && exchanges(neighbour)) {
          effects.add(new Effect.Send(neighbour, own(next, state.phase() == Phase.WAITING)));
        }
      }
    }
    return mixWhenComplete(next, effects);
  }

  private Effect train(State state) {
    return new Effect.Compute(state.round(), rules.train(context, state.weights(), state.round()));
  }

  private Step<State> resume(State state, long tick) {
    return switch (state.phase()) {
      case TRAINING -> Step.of(state, train(state));
      case WAITING, WEIGHING, MIXING -> share(state, state.weights(), tick, true, List.of());
      case DONE -> Step.of(state);
    };
  }

  private static TrainedModel own(State state, boolean asks) {
    // While training, the weights are still those that the last round ended with.
    int round = state.phase() == Phase.TRAINING ? state.round() - 1 : state.round();
    int degree = Math.max(1, state.neighbours().size());
    return new TrainedModel(round, degree, state.weights(), asks, 0);
  }

  private Step<State> received(State state, Event.Received received) {
    if (!(received.message() instanceof TrainedModel model)
        || !state.neighbours().contains(received.from())
        || !exchanges(received.from())
        || model.degree() < 1
        || model.round() < 0
        || model.round() > context.rounds()
        || !model.weights().layout().equals(state.weights().layout())
        || !model.weights().isFinite()) {
      return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Effect> effects = new ArrayList<>();
    boolean late = model.round() < state.round() - rules.staleness() || state.phase() == Phase.DONE;
    boolean behind = model.round() < own(state, false).round();
    if (late) {
      effects.add(new Effect.Observe(new Observation.Counted("late-model")));
    }
    if (late ? behind : model.asks() && state.hasTrained()) {
      effects.add(new Effect.Send(received.from(), own(state, false)));
    }
    return late
        ? new Step<>(state, effects)
        : mixWhenComplete(hear(state, received, model), effects);
  }

  /** Keeps a model unless one as new is there; of each neighbour two at most, a bound on memory. */
  private static State hear(State state, Event.Received received, TrainedModel model) {
    PeerId from = received.from();
    IntPredicate sameKind =
        model.round() <= state.round()
            ? round -> round <= state.round()
            : round -> round > state.round();
    Optional<Heard> known = state.newest(from, sameKind);
    if (known.isPresent() && known.get().model().round() >= model.round()) {
      return state;
    }
    List<Heard> heard = new ArrayList<>(state.heard());
    known.ifPresent(heard::remove);
    heard.add(new Heard(from, model));
    boolean answer = state.phase() == Phase.WAITING && model.round() == state.round();
    return state.hearing(
        heard,
        answer
            ? Patience.remember(state.answers(), received.tick() - state.sharedTick())
            : state.answers());
  }

  /** One lost message says nothing of the neighbour; patience covers what it may not send. */
  private static Step<State> sendAgain(State state, Event.SendFailed failed) {
    Effect counted = new Effect.Observe(new Observation.Counted("send-failed"));
    boolean wanted =
        failed.message() instanceof TrainedModel model
            && model.attempt() < RETRIES
            && model.round() == own(state, false).round()
            && state.neighbours().contains(failed.to());
    if (!wanted || !(failed.message() instanceof TrainedModel model)) {
      return Step.of(state, counted);
    }
    return Step.of(
        state,
        counted,
        new Effect.Send(
            failed.to(),
            new TrainedModel(
                model.round(),
                model.degree(),
                model.weights(),
                model.asks(),
                model.attempt() + 1)));
  }

  private Step<State> computed(State state, Event.Computed computed) {
    if (computed.ticket() != state.round()) {
      return Step.of(state);
    }
    return switch (computed.result()) {
      case Result.Trained trained when state.phase() == Phase.TRAINING ->
          share(
              state,
              trained.weights(),
              computed.tick(),
              false,
              deployedAfterTraining(state, trained.weights()));
      case Result.Mixed mixed when state.phase() == Phase.MIXING -> mixed(state, mixed.weights());
      case Result result when state.phase() == Phase.WEIGHING -> weighed(state, result);
      case Result.Trained _, Result.Mixed _, Result.Losses _, Result.Outputs _, Result.Answered _ ->
          Step.of(state);
    };
  }

  private List<Effect> deployedAfterTraining(State state, Weights trained) {
    Predictor predictor = new Predictor.Single(trained);
    List<Effect> effects = new ArrayList<>();
    effects.add(observe(state.round(), Stage.TRAINED, predictor));
    if (rules.deploysTrained()) {
      state.estimate().ifPresent(estimate -> effects.addAll(shares(state.round(), estimate)));
      effects.add(observe(state.round(), Stage.MIXED, predictor));
    }
    return effects;
  }

  /** Lets know whose models the deployed one was made of. */
  private static List<Effect> shares(int round, Estimate estimate) {
    List<Effect> effects = new ArrayList<>();
    for (PeerId peer : estimate.peers()) {
      effects.add(
          new Effect.Observe(
              new Observation.Measured(round, "share" + peer.number(), estimate.shareOf(peer))));
    }
    return effects;
  }

  private static Effect observe(int round, Stage stage, Predictor predictor) {
    return new Effect.Observe(new Observation.Deployed(round, stage, predictor, Audience.SELF));
  }

  private boolean exchanges(PeerId neighbour) {
    return rules.exchanges(context.self(), neighbour);
  }

  private Step<State> share(
      State state, Weights trained, long tick, boolean asks, List<Effect> before) {
    State next =
        new State(
            state.round(),
            Phase.WAITING,
            trained,
            state.neighbours(),
            state.heard(),
            tick,
            state.answers(),
            state.estimate());
    List<Effect> effects = new ArrayList<>(before);
    TrainedModel model = own(next, asks);
    for (PeerId neighbour : next.neighbours()) {
      if (exchanges(neighbour)) {
        effects.add(new Effect.Send(neighbour, model));
      }
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(PATIENCE, next.round()), rules.patience().ticks(next.answers())));
    return mixWhenComplete(next, effects);
  }

  private Step<State> mixWhenComplete(State state, List<Effect> before) {
    boolean complete =
        state.phase() == Phase.WAITING
            && state.neighbours().stream()
                .filter(this::exchanges)
                .allMatch(each -> state.newest(each, r -> r >= state.round()).isPresent());
    return complete ? mix(state, before) : new Step<>(state, before);
  }

  private Step<State> patienceEnded(State state, Timer timer) {
    return timer.number() == state.round() && state.phase() == Phase.WAITING
        ? mix(state, List.of(new Effect.Observe(new Observation.Counted("patience-ended"))))
        : Step.of(state);
  }

  private Step<State> mix(State state, List<Effect> before) {
    List<Heard> models = models(state);
    Optional<GossipRules.Inquiry> inquiry =
        models.isEmpty() ? Optional.empty() : rules.inquire(state, models);
    return inquiry.isPresent()
        ? weigh(state, inquiry.get(), before)
        : compute(state.with(Phase.MIXING), mixture(state, models), before);
  }

  private Step<State> weigh(State state, GossipRules.Inquiry inquiry, List<Effect> before) {
    State next = state.knowing(inquiry.estimate());
    return inquiry.next().isPresent()
        ? compute(next.with(Phase.WEIGHING), inquiry.next().get(), before)
        : compute(next.with(Phase.MIXING), mixture(next, models(next)), before);
  }

  private static Step<State> compute(State state, Ticket work, List<Effect> before) {
    List<Effect> effects = new ArrayList<>(before);
    effects.add(new Effect.Compute(state.round(), work));
    return new Step<>(state, effects);
  }

  private Step<State> weighed(State state, Result result) {
    return state
        .estimate()
        .map(known -> weigh(state, rules.answered(context, known, result), List.of()))
        .orElseGet(() -> Step.of(state));
  }

  private Ticket mixture(State state, List<Heard> models) {
    return new Ticket.Mix(
        models.isEmpty() ? Mixture.of(state.weights()) : rules.mixture(state, models));
  }

  /** Each neighbour's model of this round, else the newest that there is; by peer. */
  private List<Heard> models(State state) {
    if (!rules.mixes(context.self())) {
      return List.of();
    }
    int oldest = state.round() - rules.staleness();
    List<Heard> models = new ArrayList<>();
    for (PeerId neighbour : state.neighbours().stream().sorted().toList()) {
      state
          .newest(neighbour, round -> round <= state.round() && round >= oldest)
          .or(() -> state.newest(neighbour, round -> round > state.round()))
          .ifPresent(models::add);
    }
    return models;
  }

  private Step<State> mixed(State state, Weights weights) {
    List<Effect> effects = new ArrayList<>();
    if (!rules.deploysTrained()) {
      effects.add(
          observe(state.round(), Stage.MIXED, rules.deployed(context, weights, state.round())));
    }
    boolean last = state.round() == context.rounds();
    int round = last ? state.round() : nextRound(state);
    List<Heard> kept =
        last
            ? List.of()
            : state.heard().stream()
                .filter(heard -> heard.model().round() >= round - rules.staleness())
                .toList();
    State next =
        new State(
            round,
            last ? Phase.DONE : Phase.TRAINING,
            weights,
            state.neighbours(),
            kept,
            state.sharedTick(),
            state.answers(),
            state.estimate());
    if (!last) {
      effects.add(train(next));
    }
    return new Step<>(next, effects);
  }

  /** The next one, or the one that half of the neighbours who were heard are in. */
  private static int nextRound(State state) {
    List<Integer> rounds =
        state.neighbours().stream()
            .flatMap(neighbour -> state.newest(neighbour, round -> true).stream())
            .map(heard -> heard.model().round())
            .sorted()
            .toList();
    return rounds.isEmpty()
        ? state.round() + 1
        : Math.max(state.round() + 1, rounds.get((rounds.size() - 1) / 2));
  }
}
