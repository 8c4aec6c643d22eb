package io.kindred.methods.hfl;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.PeerContextBuilder;
import io.kindred.methods.hfl.HflState.ParticipantState;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A participant: the server, which coordinates until a client replaces it, or a client, which may
 * also be the head of its cluster and the coordinator.
 */
record HflMachine(Hfl method, PeerContext context) implements Machine<HflState> {
  @Override
  public HflState initial() {
    return isServer()
        ? new ParticipantState(
            Optional.empty(),
            Optional.of(CoordinatorStep.initial(method, context, 0)),
            StandbyState.INITIAL,
            0)
        : new ParticipantState(
            Optional.of(ClientStep.initial(context)), Optional.empty(), StandbyState.INITIAL, 0);
  }

  boolean isServer() {
    return context.role() == PeerContext.Role.SERVER;
  }

  /** A method with a coordinator is refused where the number of peers is unknown. */
  private int clients() {
    return context.networkSize().orElseThrow();
  }

  Succession succession() {
    return new Succession(clients(), context.server());
  }

  /** What a coordinator knows; a client that coordinates serves all clients, itself included. */
  PeerContext coordinatorContext() {
    return isServer()
        ? context
        : PeerContextBuilder.from(context)
            .peers(LongStream.range(0, clients()).mapToObj(PeerId::new).toList())
            .build();
  }

  @Override
  public Step<HflState> step(HflState state, Event event) {
    ParticipantStep step = new ParticipantStep(this, (ParticipantState) state, event.tick());
    step.handle(event);
    return step.toStep();
  }
}
