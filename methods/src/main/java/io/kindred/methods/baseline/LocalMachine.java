package io.kindred.methods.baseline;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Trains round after round on one view of the data without sending messages; both baselines use it.
 */
record LocalMachine(PeerContext context, DataView view, List<Stage> stages, Audience audience)
    implements Machine<LocalMachine.State> {
  /** The round that is being trained, and the weights it started from. */
  record State(int round, Weights weights) {}

  List<PeerLayer<?>> singleLayer() {
    return List.of(new PeerLayer<>(Component.METHOD, this, State.class));
  }

  @Override
  public State initial() {
    return new State(1, context.initialWeights().apply(0));
  }

  @Override
  public Step<State> step(State state, Event event) {
    return switch (event) {
      case Event.Started _ -> Step.of(state, train(state));
      case Event.Restored _ ->
          state.round() > context.rounds() ? Step.of(state) : Step.of(state, train(state));
      case Event.Computed computed -> trained(state, computed.result());
      case Event.Received _,
          Event.SendFailed _,
          Event.TimerFired _,
          Event.NeighboursChanged _,
          Event.LinkMeasured _,
          Event.LeaveRequested _,
          Event.Notified _ ->
          Step.of(state);
    };
  }

  private Effect train(State state) {
    return new Effect.Compute(
        state.round(),
        context
            .training()
            .round(state.weights(), Objective.plain(), view, context.self(), state.round()));
  }

  private Step<State> trained(State state, Result result) {
    if (!(result instanceof Result.Trained trained)) {
      return Step.of(state);
    }
    List<Effect> effects = new ArrayList<>();
    Predictor predictor = new Predictor.Single(trained.weights());
    for (Stage stage : stages) {
      effects.add(
          new Effect.Observe(new Observation.Deployed(state.round(), stage, predictor, audience)));
    }
    State next = new State(state.round() + 1, trained.weights());
    if (next.round() <= context.rounds()) {
      effects.add(train(next));
    }
    return new Step<>(next, effects);
  }
}
