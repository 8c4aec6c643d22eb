package io.kindred.methods;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Decentralized federated averaging with momentum (Sun, Li and Wang, 2023): every peer trains with
 * momentum, sends its model to its neighbours and averages theirs with Metropolis weights, 1 / (1 +
 * larger degree of the two). Without momentum it is federated averaging on a graph.
 *
 * <p>Nobody announces rounds: a peer mixes when its neighbours' models of its own round are in, or
 * when its patience ends; what is missing then goes to its own share, so the weights still sum to
 * one. Who has fallen behind is answered with a newer model, and goes on in the round that most of
 * its neighbours are in.
 */
@Named(
    value = "dfedavgm",
    summary = "gossip on a graph: train with momentum, average with the neighbours")
public record Dfedavgm(
    @Setting(
            doc = "momentum of local training, in place of the general one",
            fallback = "0.9",
            min = 0,
            max = 0.9999)
        double momentum,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  /** How often a peer sends a model that did not arrive once more. */
  private static final int RETRIES = 5;

  /**
   * A peer says: this is my model after training in this round, and I have so many neighbours.
   *
   * @param asks whether it lacks the receiver's model of the round
   * @param attempt how often it was sent in vain
   */
  @Named("dfedavgm/trained-model")
  public record TrainedModel(int round, int degree, Weights weights, boolean asks, int attempt)
      implements Message {}

  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    WAITING,
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
   */
  public record State(
      int round,
      Phase phase,
      Weights weights,
      List<PeerId> neighbours,
      List<Heard> heard,
      long sharedTick,
      List<Long> answers) {
    State with(Phase next, Weights newWeights) {
      return new State(round, next, newWeights, neighbours, heard, sharedTick, answers);
    }

    State hearing(List<Heard> models, List<Long> newAnswers) {
      return new State(round, phase, weights, neighbours, models, sharedTick, newAnswers);
    }

    /** Whether its weights are what it trained in this round. */
    boolean hasTrained() {
      return phase == Phase.WAITING || phase == Phase.MIXING;
    }

    Optional<Heard> newest(PeerId neighbour, IntPredicate rounds) {
      return heard.stream()
          .filter(each -> each.from().equals(neighbour) && rounds.test(each.model().round()))
          .max(Comparator.comparingInt(each -> each.model().round()));
    }
  }

  /** A neighbour's model. */
  public record Heard(PeerId from, TrainedModel model) {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return List.of(new Layer<>(Component.METHOD, new Gossip(this, context), State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(TrainedModel.class);
  }

  private record Gossip(Dfedavgm method, PeerContext context) implements Machine<State> {
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
          state.answers());
    }

    /** New neighbours have not got this round's model yet, nor this peer theirs. */
    private Step<State> changed(State state, List<PeerId> neighbours) {
      List<Effect> effects = new ArrayList<>();
      State next = meet(state, neighbours);
      if (state.hasTrained()) {
        for (PeerId neighbour : neighbours) {
          if (!state.neighbours().contains(neighbour)) {
            effects.add(new Effect.Send(neighbour, own(next, state.phase() == Phase.WAITING)));
          }
        }
      }
      return mixWhenComplete(next, effects);
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(),
          context
              .training()
              .withMomentum(method.momentum())
              .round(state.weights(), context.self(), state.round()));
    }

    private Step<State> resume(State state, long tick) {
      return switch (state.phase()) {
        case TRAINING -> Step.of(state, train(state));
        case WAITING, MIXING -> share(state, state.weights(), tick, true, List.of());
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
          || model.degree() < 1
          || model.round() < 0
          || model.round() > context.rounds()
          || !model.weights().layout().equals(state.weights().layout())
          || !model.weights().isFinite()) {
        return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
      }
      List<Effect> effects = new ArrayList<>();
      boolean late =
          model.round() < state.round() - method.staleness() || state.phase() == Phase.DONE;
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

    /**
     * Keeps a model unless one as new is there; of each neighbour two at most, a bound on memory.
     */
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
                List.of(observe(state.round(), Stage.TRAINED, trained.weights())));
        case Result.Mixed mixed when state.phase() == Phase.MIXING -> mixed(state, mixed.weights());
        case Result.Trained _,
            Result.Mixed _,
            Result.Losses _,
            Result.Outputs _,
            Result.Answered _ ->
            Step.of(state);
      };
    }

    private static Effect observe(int round, Stage stage, Weights weights) {
      return new Effect.Observe(
          new Observation.Deployed(round, stage, new Predictor.Single(weights), Audience.SELF));
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
              state.answers());
      List<Effect> effects = new ArrayList<>(before);
      TrainedModel model = own(next, asks);
      for (PeerId neighbour : next.neighbours()) {
        effects.add(new Effect.Send(neighbour, model));
      }
      effects.add(
          new Effect.SetTimer(
              new Timer(PATIENCE, next.round()), method.patience().ticks(next.answers())));
      return mixWhenComplete(next, effects);
    }

    private Step<State> mixWhenComplete(State state, List<Effect> before) {
      boolean complete =
          state.phase() == Phase.WAITING
              && state.neighbours().stream()
                  .allMatch(each -> state.newest(each, r -> r >= state.round()).isPresent());
      return complete ? mix(state, before) : new Step<>(state, before);
    }

    private Step<State> patienceEnded(State state, Timer timer) {
      return timer.number() == state.round() && state.phase() == Phase.WAITING
          ? mix(state, List.of(new Effect.Observe(new Observation.Counted("patience-ended"))))
          : Step.of(state);
    }

    private Step<State> mix(State state, List<Effect> before) {
      List<Effect> effects = new ArrayList<>(before);
      effects.add(new Effect.Compute(state.round(), new Ticket.Mix(metropolis(state))));
      return new Step<>(state.with(Phase.MIXING, state.weights()), effects);
    }

    /** With each neighbour's model of this round, else the newest that there is. */
    private Mixture metropolis(State state) {
      int oldest = state.round() - method.staleness();
      List<Part> parts = new ArrayList<>();
      double given = 0;
      for (PeerId neighbour : state.neighbours().stream().sorted().toList()) {
        Optional<Heard> heard =
            state
                .newest(neighbour, round -> round <= state.round() && round >= oldest)
                .or(() -> state.newest(neighbour, round -> round > state.round()));
        if (heard.isPresent()) {
          TrainedModel model = heard.get().model();
          double share = 1.0 / (1 + Math.max(state.neighbours().size(), model.degree()));
          parts.add(new Part(model.weights(), share));
          given += share;
        }
      }
      parts.addFirst(new Part(state.weights(), 1 - given));
      return new Mixture(parts);
    }

    private Step<State> mixed(State state, Weights weights) {
      Effect deployed = observe(state.round(), Stage.MIXED, weights);
      if (state.round() == context.rounds()) {
        return Step.of(
            new State(
                state.round(),
                Phase.DONE,
                weights,
                state.neighbours(),
                List.of(),
                state.sharedTick(),
                state.answers()),
            deployed);
      }
      int round = nextRound(state);
      List<Heard> kept =
          state.heard().stream()
              .filter(heard -> heard.model().round() >= round - method.staleness())
              .toList();
      State next =
          new State(
              round,
              Phase.TRAINING,
              weights,
              state.neighbours(),
              kept,
              state.sharedTick(),
              state.answers());
      return Step.of(next, deployed, train(next));
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
}
