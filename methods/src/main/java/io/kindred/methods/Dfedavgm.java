package io.kindred.methods;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
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
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decentralized federated averaging with momentum (Sun, Li and Wang, 2023): every peer trains with
 * momentum, sends its model to its neighbours and averages theirs with Metropolis weights, 1 / (1 +
 * larger degree of the two). Without momentum it is federated averaging on a graph.
 *
 * <p>Nobody announces rounds: a peer mixes when its neighbours' models of its own round are in, or
 * when its patience ends; what is missing then goes to its own share, so the weights still sum to
 * one.
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
    @Setting(
            doc = "virtual seconds before a peer goes on without late neighbours",
            fallback = "600",
            above = 0)
        double patienceSeconds)
    implements Method {
  /** How many rounds ahead of its own a peer keeps what it hears; a bound on its memory. */
  private static final int ROUNDS_AHEAD = 1;

  /** A peer says: this is my model after training in this round, and I have so many neighbours. */
  @Named("dfedavgm/trained-model")
  public record TrainedModel(int round, int degree, Weights weights) implements Message {}

  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    WAITING,
    MIXING,
    DONE
  }

  /** {@code weights} are the ones to train from while training, the trained ones afterwards. */
  public record State(
      int round, Phase phase, Weights weights, List<PeerId> neighbours, List<Heard> heard) {
    State with(Phase next, Weights newWeights) {
      return new State(round, next, newWeights, neighbours, heard);
    }
  }

  /** A neighbour's model, of this round or the next. */
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
      return new State(1, Phase.TRAINING, context.initialWeights().apply(0), List.of(), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started started -> {
          State next = meet(state, started.neighbours());
          yield Step.of(next, train(next));
        }
        case Event.Restored restored -> resume(meet(state, restored.neighbours()));
        case Event.Received received -> received(state, received);
        // One lost message says nothing of the neighbour; patience covers what it may not send.
        case Event.SendFailed _ ->
            Step.of(state, new Effect.Observe(new Observation.Counted("send-failed")));
        case Event.TimerFired fired -> patienceEnded(state, fired.timer());
        case Event.Computed computed -> computed(state, computed);
        case Event.NeighboursChanged changed ->
            mixWhenComplete(meet(state, changed.neighbours()), List.of());
        case Event.LinkMeasured _, Event.LeaveRequested _, Event.Told _ -> Step.of(state);
      };
    }

    private static State meet(State state, List<PeerId> neighbours) {
      List<Heard> kept =
          state.heard().stream().filter(heard -> neighbours.contains(heard.from())).toList();
      return new State(state.round(), state.phase(), state.weights(), neighbours, kept);
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(),
          context
              .training()
              .withMomentum(method.momentum())
              .round(state.weights(), context.self(), state.round()));
    }

    private Step<State> resume(State state) {
      return switch (state.phase()) {
        case TRAINING -> Step.of(state, train(state));
        case WAITING, MIXING -> share(state.with(Phase.WAITING, state.weights()), List.of());
        case DONE -> Step.of(state);
      };
    }

    private Step<State> received(State state, Event.Received received) {
      if (!(received.message() instanceof TrainedModel model)
          || !state.neighbours().contains(received.from())
          || model.degree() < 1
          || model.weights().size() != state.weights().size()
          || model.round() > state.round() + ROUNDS_AHEAD) {
        return Step.of(state, new Effect.Observe(new Observation.Counted("unexpected-message")));
      }
      if (model.round() < state.round() || state.phase() == Phase.DONE) {
        return Step.of(state, new Effect.Observe(new Observation.Counted("late-model")));
      }
      if (hasHeard(state, received.from(), model.round())) {
        return Step.of(state);
      }
      List<Heard> heard = new ArrayList<>(state.heard());
      heard.add(new Heard(received.from(), model));
      return mixWhenComplete(
          new State(state.round(), state.phase(), state.weights(), state.neighbours(), heard),
          List.of());
    }

    private static boolean hasHeard(State state, PeerId from, int round) {
      return state.heard().stream()
          .anyMatch(heard -> heard.from().equals(from) && heard.model().round() == round);
    }

    private Step<State> computed(State state, Event.Computed computed) {
      if (computed.ticket() != state.round()) {
        return Step.of(state);
      }
      return switch (computed.result()) {
        case Result.Trained trained when state.phase() == Phase.TRAINING -> trained(state, trained);
        case Result.Mixed mixed when state.phase() == Phase.MIXING -> mixed(state, mixed.weights());
        case Result.Trained _,
            Result.Mixed _,
            Result.Losses _,
            Result.Outputs _,
            Result.Answered _ ->
            Step.of(state);
      };
    }

    private Step<State> trained(State state, Result.Trained trained) {
      return share(
          state.with(Phase.WAITING, trained.weights()),
          List.of(observe(state.round(), Stage.TRAINED, trained.weights())));
    }

    private static Effect observe(int round, Stage stage, Weights weights) {
      return new Effect.Observe(
          new Observation.Deployed(round, stage, new Predictor.Single(weights), Audience.SELF));
    }

    private Step<State> share(State state, List<Effect> before) {
      List<Effect> effects = new ArrayList<>(before);
      int degree = state.neighbours().size();
      for (PeerId neighbour : state.neighbours()) {
        effects.add(
            new Effect.Send(neighbour, new TrainedModel(state.round(), degree, state.weights())));
      }
      effects.add(
          new Effect.SetTimer(
              new Timer(PATIENCE, state.round()), Ticks.ofSeconds(method.patienceSeconds())));
      return mixWhenComplete(state, effects);
    }

    private Step<State> mixWhenComplete(State state, List<Effect> before) {
      boolean complete =
          state.phase() == Phase.WAITING
              && state.neighbours().stream()
                  .allMatch(neighbour -> hasHeard(state, neighbour, state.round()));
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

    private static Mixture metropolis(State state) {
      List<Heard> present =
          state.heard().stream()
              .filter(heard -> heard.model().round() == state.round())
              .sorted(Comparator.comparing(Heard::from))
              .toList();
      List<Part> parts = new ArrayList<>();
      double given = 0;
      for (Heard heard : present) {
        double share = 1.0 / (1 + Math.max(state.neighbours().size(), heard.model().degree()));
        parts.add(new Part(heard.model().weights(), share));
        given += share;
      }
      parts.addFirst(new Part(state.weights(), 1 - given));
      return new Mixture(parts);
    }

    private Step<State> mixed(State state, Weights weights) {
      Effect deployed = observe(state.round(), Stage.MIXED, weights);
      if (state.round() == context.rounds()) {
        return Step.of(
            new State(state.round(), Phase.DONE, weights, state.neighbours(), List.of()), deployed);
      }
      int round = state.round() + 1;
      List<Heard> ahead =
          state.heard().stream().filter(heard -> heard.model().round() >= round).toList();
      State next = new State(round, Phase.TRAINING, weights, state.neighbours(), ahead);
      return Step.of(next, deployed, train(next));
    }
  }
}
