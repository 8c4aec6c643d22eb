package io.kindred.simulator.sketches;

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
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Members, heads and a coordinator: a member trains and reports to its head, a head averages its
 * members and reports to the coordinator, and the average of averages comes back down. One machine
 * serves members and heads.
 */
record TwoLevels(int peers, int clusterSize) implements Sketch {
  @Named("sketch/up")
  record Up(int round, Weights weights) implements Message {}

  @Named("sketch/down")
  record Down(int round, Weights weights) implements Message {}

  record State(int round, Weights weights, List<Weights> collected) {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    Machine<State> machine =
        switch (context.role()) {
          case PEER -> new Member(this, context);
          case SERVER -> new Coordinator(this, context);
        };
    return List.of(new PeerLayer<>(Component.METHOD, machine, State.class));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Up.class, Down.class);
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  private PeerId headOf(PeerId peer) {
    return new PeerId(peer.number() - peer.number() % clusterSize);
  }

  private List<PeerId> heads() {
    return LongStream.range(0, peers)
        .filter(peer -> peer % clusterSize == 0)
        .mapToObj(PeerId::new)
        .toList();
  }

  private List<PeerId> cluster(PeerId head) {
    return LongStream.range(head.number(), Math.min(peers, head.number() + clusterSize))
        .mapToObj(PeerId::new)
        .toList();
  }

  private static Step<State> collect(State state, Up up, int expected) {
    List<Weights> collected = new ArrayList<>(state.collected());
    collected.add(up.weights());
    State next = new State(state.round(), state.weights(), collected);
    return collected.size() == expected
        ? Step.of(next, new Effect.Compute(next.round(), new Ticket.Mix(Mixture.mean(collected))))
        : Step.of(next);
  }

  private record Member(TwoLevels method, PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      return new State(1, context.initialWeights().apply(0), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Started _ -> Step.of(state, train(state));
        case Event.Computed(_, _, Result.Trained trained) ->
            Step.of(
                state,
                new Effect.Send(
                    method.headOf(context.self()), new Up(state.round(), trained.weights())));
        case Event.Received(_, _, Up up) ->
            collect(state, up, method.cluster(context.self()).size());
        case Event.Computed(_, _, Result.Mixed mixed) ->
            Step.of(
                new State(state.round(), state.weights(), List.of()),
                new Effect.Send(context.server(), new Up(state.round(), mixed.weights())));
        case Event.Received(_, PeerId from, Down down) -> next(state, from, down);
        default -> Step.of(state);
      };
    }

    private Effect train(State state) {
      return new Effect.Compute(
          state.round(), context.training().round(state.weights(), context.self(), state.round()));
    }

    private Step<State> next(State state, PeerId from, Down down) {
      List<Effect> effects = new ArrayList<>();
      if (from.equals(context.server())) {
        for (PeerId member : method.cluster(context.self())) {
          if (!member.equals(context.self())) {
            effects.add(new Effect.Send(member, down));
          }
        }
      }
      effects.add(Sketch.deploy(down.round(), new Predictor.Single(down.weights())));
      State next = new State(down.round() + 1, down.weights(), state.collected());
      if (next.round() <= context.rounds()) {
        effects.add(train(next));
      }
      return new Step<>(next, effects);
    }
  }

  private record Coordinator(TwoLevels method, PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      return new State(1, context.initialWeights().apply(0), List.of());
    }

    @Override
    public Step<State> step(State state, Event event) {
      return switch (event) {
        case Event.Received(_, _, Up up) -> collect(state, up, method.heads().size());
        case Event.Computed(_, _, Result.Mixed mixed) -> {
          List<Effect> effects = new ArrayList<>();
          for (PeerId head : method.heads()) {
            effects.add(new Effect.Send(head, new Down(state.round(), mixed.weights())));
          }
          yield new Step<>(new State(state.round() + 1, mixed.weights(), List.of()), effects);
        }
        default -> Step.of(state);
      };
    }
  }
}
