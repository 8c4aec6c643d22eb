package io.kindred.simulator.sketches;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
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
 * Two components that share the samples between them: per-sample losses give each sample's
 * responsibilities, each component is trained on its weighted samples, and the mixture of their
 * outputs is deployed.
 */
record WeightedEnsemble() implements Sketch {
  private static final int COMPONENTS = 2;

  /**
   * {@code shares} are the mixing proportions; {@code trained} how many components this round has
   * trained.
   */
  record State(
      int round,
      int trained,
      List<Weights> components,
      List<Double> shares,
      List<Floats> responsibilities) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(new PeerLayer<>(Component.METHOD, new Mixed(context), State.class));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of();
  }

  private record Mixed(PeerContext context) implements Machine<State> {
    private static final DataView OWN = DataView.own(DataView.Split.TRAIN);

    @Override
    public State initial() {
      List<Weights> components = new ArrayList<>();
      for (int i = 0; i < COMPONENTS; i++) {
        components.add(context.initialWeights().apply(i));
      }
      return new State(1, 0, components, List.of(0.5, 0.5), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started _ -> Step.of(state, judge(state));
        case Event.Computed(_, _, Result.Losses losses) -> judged(state, losses.perMixture());
        case Event.Computed(_, _, Result.Trained trained) -> trained(state, trained.weights());
        default -> Step.of(state);
      };
    }

    private static Effect judge(State state) {
      return new Effect.Compute(
          state.round(),
          new Ticket.Losses(
              state.components().stream().map(Mixture::of).toList(),
              OWN,
              Ticket.Detail.PER_SAMPLE));
    }

    private Step<State> judged(State state, List<Floats> losses) {
      int samples = losses.getFirst().size();
      float[][] weights = new float[COMPONENTS][samples];
      double[] sums = new double[COMPONENTS];
      for (int i = 0; i < samples; i++) {
        double total = 0;
        for (int c = 0; c < COMPONENTS; c++) {
          total += state.shares().get(c) * Math.exp(-losses.get(c).get(i));
        }
        for (int c = 0; c < COMPONENTS; c++) {
          double share = state.shares().get(c) * Math.exp(-losses.get(c).get(i)) / total;
          weights[c][i] = (float) share;
          sums[c] += share / samples;
        }
      }
      List<Floats> responsibilities = new ArrayList<>();
      List<Double> shares = new ArrayList<>();
      for (int c = 0; c < COMPONENTS; c++) {
        responsibilities.add(Floats.of(weights[c]));
        shares.add(sums[c]);
      }
      State next = new State(state.round(), 0, state.components(), shares, responsibilities);
      return Step.of(next, train(next));
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(),
          context
              .training()
              .round(
                  state.components().get(state.trained()),
                  Objective.plain(),
                  OWN.select(new Selection.Weighted(state.responsibilities().get(state.trained()))),
                  context.self(),
                  state.round()));
    }

    private Step<State> trained(State state, Weights weights) {
      List<Weights> components = new ArrayList<>(state.components());
      components.set(state.trained(), weights);
      State next =
          new State(
              state.round(),
              state.trained() + 1,
              components,
              state.shares(),
              state.responsibilities());
      if (next.trained() < COMPONENTS) {
        return Step.of(next, train(next));
      }
      List<MixturePart> members = new ArrayList<>();
      for (int c = 0; c < COMPONENTS; c++) {
        members.add(new MixturePart(components.get(c), state.shares().get(c)));
      }
      Effect deployed = Sketch.deploy(state.round(), new Predictor.Ensemble(new Mixture(members)));
      State following =
          new State(state.round() + 1, 0, components, state.shares(), state.responsibilities());
      return following.round() <= context.rounds()
          ? Step.of(following, deployed, judge(following))
          : Step.of(following, deployed);
    }
  }
}
