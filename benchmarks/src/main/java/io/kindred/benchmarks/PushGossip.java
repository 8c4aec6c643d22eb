package io.kindred.benchmarks;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
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
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The simplest gossip learning: once a second a peer sends its model to a random neighbour, which
 * averages it with its own and trains a few steps. Without steps peers only send pings and compute
 * nothing.
 */
record PushGossip(int steps) implements Method {
  private static final Purpose CHOICE = new Purpose("gossip");

  @Named("gossip/model")
  record Model(Weights weights) implements Message {}

  @Named("gossip/word")
  record Ping(long number) implements Message {}

  record State(long turn, Weights weights, List<PeerId> neighbours, long received) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return List.of(new PeerLayer<>(Component.METHOD, new Gossip(steps, context), State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Model.class, Ping.class);
  }

  private record Gossip(int steps, PeerContext context) implements Machine<State> {
    private static final Timer TURN = new Timer("turn", 0);

    @Override
    public State initial() {
      return new State(0, context.initialWeights().apply(0), List.of(), 0);
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started started ->
            Step.of(
                new State(0, state.weights(), started.neighbours(), 0),
                new Effect.SetTimer(TURN, 1 + (long) (Ticks.PER_SECOND * draw(0).nextDouble())));
        case Event.TimerFired _ -> turn(state);
        case Event.Received(long _, PeerId _, Model model) ->
            Step.of(
                withReceived(state, state.weights()),
                new Effect.Compute(
                    state.received(),
                    new Ticket.Mix(Mixture.mean(List.of(state.weights(), model.weights())))));
        case Event.Received _ -> Step.of(withReceived(state, state.weights()));
        case Event.Computed(long _, long number, Result.Mixed mixed) ->
            Step.of(state, new Effect.Compute(number, train(mixed.weights(), number)));
        case Event.Computed(long _, long _, Result.Trained trained) ->
            Step.of(
                new State(state.turn(), trained.weights(), state.neighbours(), state.received()));
        default -> Step.of(state);
      };
    }

    private static State withReceived(State state, Weights weights) {
      return new State(state.turn(), weights, state.neighbours(), state.received() + 1);
    }

    private RandomStream draw(long turn) {
      return context.streams().stream(CHOICE, context.self().number(), turn);
    }

    private Step<State> turn(State state) {
      if (state.turn() == context.rounds()) {
        return Step.of(state);
      }
      long turn = state.turn() + 1;
      PeerId to = state.neighbours().get(draw(turn).nextInt(state.neighbours().size()));
      return Step.of(
          new State(turn, state.weights(), state.neighbours(), state.received()),
          new Effect.Send(to, steps > 0 ? new Model(state.weights()) : new Ping(turn)),
          new Effect.SetTimer(TURN, Ticks.PER_SECOND));
    }

    private Ticket train(Weights from, long number) {
      return new Ticket.Train(
          from,
          Objective.plain(),
          DataView.own(DataView.Split.TRAIN),
          new Optimizer(0.1, 0, 0),
          context.training().batch(),
          new Ticket.Duration.Steps(steps),
          new StreamKey(Purpose.BATCHES, context.self().number(), number));
    }
  }
}
