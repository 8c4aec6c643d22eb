package io.kindred.studies.fuzz;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Gossip with a planted bug: a model that arrives twice is averaged twice. */
@Named(value = "counts-twice", summary = "gossip with a planted bug")
record CountsTwice() implements Method {
  @Named("counts-twice/model")
  record Model(int round, Weights weights) implements Message {}

  record ReceivedModel(PeerId from, Model model) {}

  record State(
      int round,
      boolean trained,
      Weights weights,
      List<PeerId> neighbours,
      List<ReceivedModel> received) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(new PeerLayer<>(Component.METHOD, new Gossip(context), State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
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
          List<ReceivedModel> receivedModel = new ArrayList<>(state.received());
          receivedModel.add(new ReceivedModel(from, model));
          yield mixWhenComplete(
              new State(
                  state.round(),
                  state.trained(),
                  state.weights(),
                  state.neighbours(),
                  receivedModel),
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
        int round, Weights weights, List<PeerId> neighbours, List<ReceivedModel> receivedModel) {
      return Step.of(
          new State(round, false, weights, neighbours, receivedModel),
          new Effect.Compute(round, context.training().round(weights, context.self(), round)));
    }

    private Step<State> share(State state, Result.Trained trained) {
      List<Effect> effects = new ArrayList<>();
      for (PeerId neighbour : state.neighbours()) {
        effects.add(new Effect.Send(neighbour, new Model(state.round(), trained.weights())));
      }
      effects.add(new Effect.SetTimer(new Timer("patience", state.round()), Ticks.ofSeconds(5)));
      return mixWhenComplete(
          new State(state.round(), true, trained.weights(), state.neighbours(), state.received()),
          effects);
    }

    private Step<State> mixWhenComplete(State state, List<Effect> before) {
      boolean complete =
          state.trained()
              && state.neighbours().stream()
                  .allMatch(
                      each ->
                          state.received().stream()
                              .anyMatch(receivedModel -> receivedModel.from().equals(each)));
      if (!complete) {
        return new Step<>(state, before);
      }
      List<Effect> effects = new ArrayList<>(before);
      effects.addAll(mix(state).effects());
      return new Step<>(state, effects);
    }

    private Step<State> mix(State state) {
      double share = 1.0 / (1 + state.neighbours().size());
      List<MixturePart> parts = new ArrayList<>();
      // The planted bug: a neighbour that was counted already is counted again.
      state
          .received()
          .forEach(
              receivedModel -> parts.add(new MixturePart(receivedModel.model().weights(), share)));
      double missing = Math.max(0, state.neighbours().size() - parts.size()) * share;
      parts.addFirst(new MixturePart(state.weights(), share + missing));
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
      List<ReceivedModel> ahead =
          state.received().stream()
              .filter(receivedModel -> receivedModel.model().round() >= round)
              .toList();
      Step<State> training = train(round, weights, state.neighbours(), ahead);
      List<Effect> effects = new ArrayList<>(training.effects());
      effects.addFirst(deployed);
      return new Step<>(training.state(), effects);
    }
  }
}
