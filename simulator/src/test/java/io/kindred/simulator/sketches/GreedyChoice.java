package io.kindred.simulator.sketches;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the neighbour whose inclusion lowers the validation loss of the average most, until none
 * does: a loop that depends on data, one ticket an iteration, each the losses of many mixtures at
 * once.
 */
record GreedyChoice() implements Sketch {
  @Named("sketch/offered-model")
  record OfferedModel(int round, Weights weights) implements Message {}

  /** {@code set} holds the models averaged so far, own model first. */
  record State(
      int round,
      boolean trained,
      Weights weights,
      List<PeerId> neighbours,
      List<Offer> offers,
      List<Weights> set) {}

  record Offer(PeerId from, int round, Weights weights) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(new PeerLayer<>(Component.METHOD, new Chooser(context), State.class));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(OfferedModel.class);
  }

  private record Chooser(PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      Weights start = context.initialWeights().apply(0);
      return new State(1, false, start, List.of(), List.of(), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started started -> {
          State next = begin(1, state.weights(), started.neighbours(), List.of());
          yield Step.of(next, train(next));
        }
        case Event.Computed(_, _, Result.Trained trained) -> trained(state, trained.weights());
        case Event.Received(_, PeerId from, OfferedModel model) -> offered(state, from, model);
        case Event.Computed(_, _, Result.Losses losses) -> judged(state, losses.perMixture());
        case Event.Computed(_, _, Result.Mixed mixed) -> mixed(state, mixed.weights());
        default -> Step.of(state);
      };
    }

    private static State begin(
        int round, Weights weights, List<PeerId> neighbours, List<Offer> offers) {
      return new State(round, false, weights, neighbours, offers, List.of());
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(), context.training().round(state.weights(), context.self(), state.round()));
    }

    private static Step<State> trained(State state, Weights weights) {
      List<Effect> effects = new ArrayList<>();
      for (PeerId neighbour : state.neighbours()) {
        effects.add(new Effect.Send(neighbour, new OfferedModel(state.round(), weights)));
      }
      State next =
          new State(
              state.round(), true, weights, state.neighbours(), state.offers(), List.of(weights));
      Step<State> judging = judgeWhenComplete(next);
      effects.addAll(judging.effects());
      return new Step<>(judging.state(), effects);
    }

    private static Step<State> offered(State state, PeerId from, OfferedModel model) {
      List<Offer> offers = new ArrayList<>(state.offers());
      offers.add(new Offer(from, model.round(), model.weights()));
      return judgeWhenComplete(
          new State(
              state.round(),
              state.trained(),
              state.weights(),
              state.neighbours(),
              offers,
              state.set()));
    }

    private static List<Weights> candidates(State state) {
      return state.offers().stream()
          .filter(offer -> offer.round() == state.round())
          .map(Offer::weights)
          .filter(weights -> !state.set().contains(weights))
          .toList();
    }

    private static Step<State> judgeWhenComplete(State state) {
      boolean complete =
          state.trained()
              && state.set().size() == 1
              && candidates(state).size() == state.neighbours().size();
      return complete ? judge(state) : Step.of(state);
    }

    /** The set as it is comes first, then the set with each candidate. */
    private static Step<State> judge(State state) {
      List<Mixture> mixtures = new ArrayList<>();
      mixtures.add(Mixture.mean(state.set()));
      for (Weights candidate : candidates(state)) {
        List<Weights> larger = new ArrayList<>(state.set());
        larger.add(candidate);
        mixtures.add(Mixture.mean(larger));
      }
      return Step.of(
          state,
          new Effect.Compute(
              state.round(),
              new Ticket.Losses(
                  mixtures, DataView.own(DataView.Split.VALIDATION), Ticket.Detail.MEAN)));
    }

    private static Step<State> judged(State state, List<Floats> losses) {
      int best = 0;
      for (int i = 1; i < losses.size(); i++) {
        if (losses.get(i).get(0) < losses.get(best).get(0)) {
          best = i;
        }
      }
      if (best == 0) {
        return Step.of(
            state, new Effect.Compute(state.round(), new Ticket.Mix(Mixture.mean(state.set()))));
      }
      List<Weights> larger = new ArrayList<>(state.set());
      larger.add(candidates(state).get(best - 1));
      return judge(
          new State(
              state.round(), true, state.weights(), state.neighbours(), state.offers(), larger));
    }

    private Step<State> mixed(State state, Weights weights) {
      Effect deployed = Sketch.deploy(state.round(), new Predictor.Single(weights));
      if (state.round() == context.rounds()) {
        return Step.of(state, deployed);
      }
      List<Offer> ahead =
          state.offers().stream().filter(offer -> offer.round() > state.round()).toList();
      State next = begin(state.round() + 1, weights, state.neighbours(), ahead);
      return Step.of(next, deployed, train(next));
    }
  }
}
