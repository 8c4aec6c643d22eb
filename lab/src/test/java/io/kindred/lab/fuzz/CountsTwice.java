package io.kindred.lab.fuzz;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.Timer;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.PeerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Gossip with a planted bug: a model that arrives twice is averaged twice. */
@Named(value = "counts-twice", summary = "gossip with a planted bug")
record CountsTwice() implements Method {
  @Named("counts-twice/model")
  record Model(int round, Weights weights) implements Message {}

  record Heard(PeerId from, Model model) {}

  record State(
      int round, boolean trained, Weights weights, List<PeerId> neighbours, List<Heard> heard) {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return List.of(new Layer<>(Component.METHOD, new Gossip(context), State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Model.class);
  }

  private record Gossip(PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      return new State(1, false, context.initialWeights().apply(0), List.of(), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started started -> train(1, state.weights(), started.neighbours(), List.of());
        case Event.Received(long _, PeerId from, Model model)
            when model.round() >= state.round() -> {
          List<Heard> heard = new ArrayList<>(state.heard());
          heard.add(new Heard(from, model));
          yield mixWhenComplete(
              new State(state.round(), state.trained(), state.weights(), state.neighbours(), heard),
              List.of());
        }
        case Event.TimerFired fired
            when state.trained() && fired.timer().number() == state.round() ->
            mix(state);
        case Event.Computed(long _, long _, Result.Trained trained) -> share(state, trained);
        case Event.Computed(long _, long _, Result.Mixed mixed) -> next(state, mixed.weights());
        default -> Step.of(state);
      };
    }

    private Step<State> train(
        int round, Weights weights, List<PeerId> neighbours, List<Heard> heard) {
      return Step.of(
          new State(round, false, weights, neighbours, heard),
          new Effect.Compute(round, context.training().round(weights, context.self(), round)));
    }

    private Step<State> share(State state, Result.Trained trained) {
      List<Effect> effects = new ArrayList<>();
      for (PeerId neighbour : state.neighbours()) {
        effects.add(new Effect.Send(neighbour, new Model(state.round(), trained.weights())));
      }
      effects.add(new Effect.SetTimer(new Timer("patience", state.round()), Ticks.ofSeconds(5)));
      return mixWhenComplete(
          new State(state.round(), true, trained.weights(), state.neighbours(), state.heard()),
          effects);
    }

    private Step<State> mixWhenComplete(State state, List<Effect> before) {
      boolean complete =
          state.trained()
              && state.neighbours().stream()
                  .allMatch(
                      each -> state.heard().stream().anyMatch(heard -> heard.from().equals(each)));
      if (!complete) {
        return new Step<>(state, before);
      }
      List<Effect> effects = new ArrayList<>(before);
      effects.addAll(mix(state).effects());
      return new Step<>(state, effects);
    }

    private Step<State> mix(State state) {
      double share = 1.0 / (1 + state.neighbours().size());
      List<Part> parts = new ArrayList<>();
      // Here is the bug: nobody looks whether a neighbour has been counted already.
      state.heard().forEach(heard -> parts.add(new Part(heard.model().weights(), share)));
      double missing = Math.max(0, state.neighbours().size() - parts.size()) * share;
      parts.addFirst(new Part(state.weights(), share + missing));
      return Step.of(state, new Effect.Compute(state.round(), new Ticket.Mix(new Mixture(parts))));
    }

    private Step<State> next(State state, Weights weights) {
      Effect deployed =
          new Effect.Observe(
              new Observation.Deployed(
                  state.round(),
                  Observation.Stage.MIXED,
                  new Predictor.Single(weights),
                  Observation.Audience.SELF));
      if (state.round() == context.rounds()) {
        return Step.of(
            new State(state.round() + 1, false, weights, state.neighbours(), List.of()), deployed);
      }
      int round = state.round() + 1;
      List<Heard> ahead =
          state.heard().stream().filter(heard -> heard.model().round() >= round).toList();
      Step<State> training = train(round, weights, state.neighbours(), ahead);
      List<Effect> effects = new ArrayList<>(training.effects());
      effects.addFirst(deployed);
      return new Step<>(training.state(), effects);
    }
  }
}
