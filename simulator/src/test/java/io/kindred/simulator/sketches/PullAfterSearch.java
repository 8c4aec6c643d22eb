package io.kindred.simulator.sketches;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Train, search the overlay for similar peers, pull their models, mix. The overlay is a machine of
 * its own below the method; it answers from its neighbourhood, or asks the shell for an exact
 * search.
 */
record PullAfterSearch(boolean exact) implements Sketch {
  private static final long TIMEOUT_TICKS = 5_000_000;

  /** The question of the method to the overlay. */
  @Named("sketch/search")
  record Search(int round) implements LocalMessage {}

  /** The answer of the overlay or of the shell. */
  @Named("sketch/found")
  record Found(int round, List<PeerId> peers) implements LocalMessage {}

  @Named("sketch/model-request")
  record ModelRequest(int round) implements Message {}

  @Named("sketch/model-reply")
  record ModelReply(int round, Weights weights) implements Message {}

  record OverlayState(List<PeerId> neighbours) {}

  /** {@code asked} are requests for a round that is not trained yet. */
  record State(
      int round,
      boolean trained,
      Weights weights,
      List<PeerId> awaited,
      List<Weights> pulled,
      List<Asked> asked) {}

  record Asked(PeerId from, int round) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(
        new PeerLayer<>(Component.DISCOVERY, new Overlay(exact), OverlayState.class),
        new PeerLayer<>(Component.METHOD, new Puller(context), State.class));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(ModelRequest.class, ModelReply.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(Search.class, Found.class);
  }

  private record Overlay(boolean exact) implements Machine<OverlayState> {
    @Override
    public OverlayState initial() {
      return new OverlayState(List.of());
    }

    @Override
    public Step<OverlayState> step(OverlayState state, Event event) {
      return switch (event) {
        case Event.Started started -> Step.of(new OverlayState(started.neighbours()));
        case Event.Notified notified when notified.message() instanceof Search search ->
            exact
                ? Step.of(state, new Effect.Notify(Component.SHELL, search))
                : Step.of(
                    state,
                    new Effect.Notify(
                        Component.METHOD, new Found(search.round(), state.neighbours())));
        case Event.Notified notified when notified.message() instanceof Found found ->
            Step.of(state, new Effect.Notify(Component.METHOD, found));
        default -> Step.of(state);
      };
    }
  }

  private record Puller(PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      Weights start = context.initialWeights().apply(0);
      return new State(1, false, start, List.of(), List.of(), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started _ -> Step.of(state, train(state));
        case Event.Computed(_, _, Result.Trained trained) -> trained(state, trained.weights());
        case Event.Computed(_, _, Result.Mixed mixed) -> mixed(state, mixed.weights());
        case Event.Notified(_, _, Found found) -> pull(state, found.peers());
        case Event.Received(_, PeerId from, ModelRequest request) -> asked(state, from, request);
        case Event.Received(_, PeerId from, ModelReply reply) -> replied(state, from, reply);
        case Event.TimerFired fired when fired.timer().number() == state.round() ->
            state.awaited().isEmpty() ? Step.of(state) : mix(state);
        default -> Step.of(state);
      };
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(), context.training().round(state.weights(), context.self(), state.round()));
    }

    private Step<State> trained(State state, Weights weights) {
      List<Effect> effects = new ArrayList<>();
      for (Asked asked : state.asked()) {
        effects.add(new Effect.Send(asked.from(), new ModelReply(asked.round(), weights)));
      }
      effects.add(new Effect.Notify(Component.DISCOVERY, new Search(state.round())));
      return new Step<>(
          new State(state.round(), true, weights, List.of(), List.of(), List.of()), effects);
    }

    private Step<State> pull(State state, List<PeerId> found) {
      List<Effect> effects = new ArrayList<>();
      for (PeerId peer : found) {
        effects.add(new Effect.Send(peer, new ModelRequest(state.round())));
      }
      effects.add(new Effect.SetTimer(new Timer("deadline", state.round()), TIMEOUT_TICKS));
      return new Step<>(
          new State(
              state.round(), true, state.weights(), found, List.of(state.weights()), state.asked()),
          effects);
    }

    private Step<State> asked(State state, PeerId from, ModelRequest request) {
      if (state.trained() || request.round() < state.round()) {
        return Step.of(
            state, new Effect.Send(from, new ModelReply(request.round(), state.weights())));
      }
      List<Asked> asked = new ArrayList<>(state.asked());
      asked.add(new Asked(from, request.round()));
      return Step.of(
          new State(state.round(), false, state.weights(), state.awaited(), state.pulled(), asked));
    }

    private Step<State> replied(State state, PeerId from, ModelReply reply) {
      if (reply.round() != state.round() || !state.awaited().contains(from)) {
        return Step.of(state);
      }
      List<PeerId> awaited = state.awaited().stream().filter(each -> !each.equals(from)).toList();
      List<Weights> pulled = new ArrayList<>(state.pulled());
      pulled.add(reply.weights());
      State next = new State(state.round(), true, state.weights(), awaited, pulled, state.asked());
      return awaited.isEmpty() ? mix(next) : Step.of(next);
    }

    private static Step<State> mix(State state) {
      State next =
          new State(state.round(), true, state.weights(), List.of(), state.pulled(), state.asked());
      return Step.of(
          next, new Effect.Compute(state.round(), new Ticket.Mix(Mixture.mean(state.pulled()))));
    }

    private Step<State> mixed(State state, Weights weights) {
      Effect deployed = Sketch.deploy(state.round(), new Predictor.Single(weights));
      boolean last = state.round() == context.rounds();
      // After its last round a peer stays trained, so that slower peers can still pull from it.
      State next = new State(state.round() + 1, last, weights, List.of(), List.of(), state.asked());
      return last ? Step.of(next, deployed) : Step.of(next, deployed, train(next));
    }
  }
}
