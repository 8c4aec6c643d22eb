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
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * k models a peer: the losses of each decide which to train, and models of neighbours are averaged
 * in as they arrive, one by one and without any barrier, so peers progress at their own pace.
 */
record SeveralModels(int k) implements Sketch {
  private static final long CHOOSE = 0;
  private static final long TRAIN = 1;
  private static final long AVERAGE = 2;

  @Named("sketch/cluster-model")
  record ClusterModel(int cluster, Weights weights) implements Message {}

  /** {@code arrivals} counts the models averaged into each model since it was last trained. */
  record State(
      int round,
      int chosen,
      List<Weights> models,
      List<PeerId> neighbours,
      List<Integer> arrivals,
      List<ClusterModel> waiting) {
    State with(List<Weights> newModels, List<Integer> newArrivals, List<ClusterModel> rest) {
      return new State(round, chosen, newModels, neighbours, newArrivals, rest);
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(new PeerLayer<>(Component.METHOD, new Clustered(k, context), State.class));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(ClusterModel.class);
  }

  private record Clustered(int k, PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      List<Weights> models = new ArrayList<>();
      List<Integer> arrivals = new ArrayList<>();
      for (int i = 0; i < k; i++) {
        models.add(context.initialWeights().apply(i));
        arrivals.add(0);
      }
      return new State(1, 0, models, List.of(), arrivals, List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started started ->
            choose(
                new State(1, 0, state.models(), started.neighbours(), state.arrivals(), List.of()));
        case Event.Computed(_, _, Result.Losses losses) -> chosen(state, losses.perMixture());
        case Event.Computed(_, _, Result.Trained trained) -> trained(state, trained.weights());
        case Event.Computed(_, _, Result.Mixed mixed) -> averaged(state, mixed.weights());
        case Event.Received(_, _, ClusterModel model) -> arrived(state, model);
        default -> Step.of(state);
      };
    }

    private static Step<State> choose(State state) {
      return Step.of(
          state,
          new Effect.Compute(
              CHOOSE,
              new Ticket.Losses(
                  state.models().stream().map(Mixture::of).toList(),
                  DataView.own(DataView.Split.TRAIN),
                  Ticket.Detail.MEAN)));
    }

    private Step<State> chosen(State state, List<Floats> losses) {
      int best = 0;
      for (int i = 1; i < k; i++) {
        if (losses.get(i).get(0) < losses.get(best).get(0)) {
          best = i;
        }
      }
      Weights from = state.models().get(best);
      return Step.of(
          new State(
              state.round(),
              best,
              state.models(),
              state.neighbours(),
              state.arrivals(),
              state.waiting()),
          new Effect.Compute(TRAIN, context.training().round(from, context.self(), state.round())));
    }

    private Step<State> trained(State state, Weights weights) {
      List<Weights> models = new ArrayList<>(state.models());
      models.set(state.chosen(), weights);
      List<Integer> arrivals = new ArrayList<>(state.arrivals());
      arrivals.set(state.chosen(), 0);
      List<Effect> effects = new ArrayList<>();
      for (PeerId neighbour : state.neighbours()) {
        effects.add(new Effect.Send(neighbour, new ClusterModel(state.chosen(), weights)));
      }
      effects.add(Sketch.deploy(state.round(), new Predictor.Single(weights)));
      State next =
          new State(
              state.round() + 1,
              state.chosen(),
              models,
              state.neighbours(),
              arrivals,
              state.waiting());
      if (next.round() <= context.rounds()) {
        effects.addAll(choose(next).effects());
      }
      return new Step<>(next, effects);
    }

    /** One average at a time: the running mean needs the one before it. */
    private static Step<State> arrived(State state, ClusterModel model) {
      List<ClusterModel> waiting = new ArrayList<>(state.waiting());
      waiting.add(model);
      State next = state.with(state.models(), state.arrivals(), waiting);
      return waiting.size() == 1 ? average(next) : Step.of(next);
    }

    private static Step<State> average(State state) {
      ClusterModel model = state.waiting().getFirst();
      double share = 1.0 / (state.arrivals().get(model.cluster()) + 2);
      Weights own = state.models().get(model.cluster());
      return Step.of(
          state,
          new Effect.Compute(
              AVERAGE,
              new Ticket.Mix(
                  new Mixture(
                      List.of(
                          new MixturePart(own, 1 - share),
                          new MixturePart(model.weights(), share))))));
    }

    private static Step<State> averaged(State state, Weights mixed) {
      int cluster = state.waiting().getFirst().cluster();
      List<Weights> models = new ArrayList<>(state.models());
      models.set(cluster, mixed);
      List<Integer> arrivals = new ArrayList<>(state.arrivals());
      arrivals.set(cluster, arrivals.get(cluster) + 1);
      State next = state.with(models, arrivals, state.waiting().subList(1, state.waiting().size()));
      return next.waiting().isEmpty() ? Step.of(next) : average(next);
    }
  }
}
