package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.ServerMessage.Poll;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import io.kindred.methods.rounds.ServerRoundState.ClientState;
import io.kindred.methods.rounds.ServerRoundState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The client of a {@link Server}: adopts the server's models, completes the previous round with
 * them, does its local work and sends the update to the server.
 */
record Client<M extends LocalState>(ServerRoundAlgorithm<M> algorithm, RoundSettings settings)
    implements Machine<ServerRoundState> {
  /** How often a client retries to send an update that did not arrive. */
  private static final int RETRIES = 5;

  /** How often a client polls a silent server for the next round. */
  private static final int MAX_POLLS = 20;

  private static final String SERVER_TIMEOUT = "server-timeout";

  private PeerContext context() {
    return algorithm.context();
  }

  @Override
  public ServerRoundState initial() {
    M local = algorithm.initial();
    return new ClientState(0, Phase.IDLE, local, local, 0, Optional.empty());
  }

  @Override
  public Step<ServerRoundState> step(ServerRoundState state, Event event) {
    ClientState client = (ClientState) state;
    return switch (event) {
      case Event.Received received -> received(client, received);
      case Event.Computed computed -> computed(client, computed);
      case Event.Restored _ -> resume(client);
      case Event.SendFailed failed -> sendAgain(client, failed);
      case Event.TimerFired fired -> serverTimedOut(client, fired.timer());
      case Event.Started _ -> Step.of(client, serverTimer(client.round()));
      case Event.NeighboursChanged _,
          Event.LinkMeasured _,
          Event.LeaveRequested _,
          Event.Notified _ ->
          Step.of(client);
    };
  }

  private M localState(LocalState stored) {
    return algorithm.stateType().cast(stored);
  }

  private Step<ServerRoundState> received(ClientState client, Event.Received received) {
    if (received.message() instanceof ServerModels(int asked, List<Weights> _, int _)
        && received.from().equals(context().server())
        && asked == client.round()
        && asked <= context().rounds()
        && client.phase() == Phase.IDLE) {
      // A restored server has lost the answer.
      return Step.of(client, new Effect.Send(context().server(), clientUpdate(client, 0)));
    }
    if (!(received.message() instanceof ServerModels models)
        || !received.from().equals(context().server())
        || models.round() <= client.round()
        || models.round() > context().rounds() + 1
        || models.models().size() != algorithm.slots()
        || !models.models().stream()
            .allMatch(each -> each.layout().equals(layout()) && each.isFinite())) {
      return Step.of(client, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    // A slow client that dropped its work for every newer round would never contribute an update.
    boolean finishesFirst =
        client.phase() == Phase.WORKING
            && models.round() - client.round() <= settings.staleness()
            && models.round() <= context().rounds();
    return finishesFirst
        ? Step.of(ClientStateBuilder.from(client).nextModels(Optional.of(models)).build())
        : adopt(client, models);
  }

  private Step<ServerRoundState> adopt(ClientState client, ServerModels models) {
    M local = algorithm.adopt(localState(client.localState()), models.models());
    ClientState next =
        new ClientState(models.round(), Phase.COMPLETING_ROUND, local, local, 0, Optional.empty());
    return models.round() == 1 ? work(next) : completeRound(next);
  }

  private Layout layout() {
    return context().initialWeights().apply(0).layout();
  }

  private Step<ServerRoundState> completeRound(ClientState client) {
    return advance(
        client,
        algorithm.completeRound(
            localState(client.localState()), client.round() - 1, Optional.empty()));
  }

  private Step<ServerRoundState> work(ClientState client) {
    ClientState next = client.inPhase(Phase.WORKING, client.localState());
    return advance(
        next, algorithm.work(localState(next.localState()), next.round(), Optional.empty()));
  }

  private Step<ServerRoundState> finish(ClientState client) {
    ClientState next = client.inPhase(Phase.FINISHING, client.localState());
    return advance(next, algorithm.finish(localState(next.localState()), Optional.empty()));
  }

  private Step<ServerRoundState> resume(ClientState client) {
    return switch (client.phase()) {
      case IDLE -> poll(withPolls(client, 0));
      case COMPLETING_ROUND -> completeRound(client);
      case WORKING -> work(client);
      case FINISHING -> finish(client);
    };
  }

  private Step<ServerRoundState> advance(ClientState client, PhaseResult<M> result) {
    List<Effect> effects = new ArrayList<>();
    result.observations().forEach(each -> effects.add(new Effect.Observe(each)));
    if (result.work().isPresent()) {
      effects.add(new Effect.Compute(client.round(), result.work().get()));
      return new Step<>(
          ClientStateBuilder.from(client).draftState(result.state()).build(), effects);
    }
    ClientState idle = client.inPhase(Phase.IDLE, result.state());
    Step<ServerRoundState> next =
        switch (client.phase()) {
          case COMPLETING_ROUND -> client.round() > context().rounds() ? finish(idle) : work(idle);
          case WORKING -> updateReady(idle);
          case FINISHING -> Step.of(idle);
          case IDLE -> throw new IllegalStateException("no work while idle");
        };
    return next.precededBy(effects);
  }

  private Step<ServerRoundState> updateReady(ClientState idle) {
    Effect send = new Effect.Send(context().server(), clientUpdate(idle, 0));
    return idle.nextModels()
        .map(models -> adopt(idle, models).precededBy(send))
        .orElseGet(() -> Step.of(idle, send, serverTimer(idle.round())));
  }

  private Effect serverTimer(int round) {
    return new Effect.SetTimer(
        new Timer(SERVER_TIMEOUT, round), 2 * settings.timeout().ticks(List.of()));
  }

  private Step<ServerRoundState> serverTimedOut(ClientState client, Timer timer) {
    return client.phase() == Phase.IDLE && timer.number() == client.round()
        ? poll(client)
        : Step.of(client);
  }

  /**
   * The server's models may have been lost, or sent while this client was down, so it asks again.
   */
  private Step<ServerRoundState> poll(ClientState client) {
    return client.round() > context().rounds() || client.polls() >= MAX_POLLS
        ? Step.of(client)
        : Step.of(
            withPolls(client, client.polls() + 1),
            new Effect.Send(context().server(), new Poll(client.round())),
            serverTimer(client.round()));
  }

  private static ClientState withPolls(ClientState client, int polls) {
    return ClientStateBuilder.from(client).polls(polls).build();
  }

  private ClientUpdate clientUpdate(ClientState client, int attempt) {
    return new ClientUpdate(
        client.round(), algorithm.outgoingUpdate(localState(client.localState())), attempt);
  }

  private Step<ServerRoundState> computed(ClientState client, Event.Computed computed) {
    // A newer request may have overtaken this result; the server no longer wants it then.
    if (computed.ticket() != client.round()) {
      return Step.of(client);
    }
    M draft = localState(client.draftState());
    Optional<Result> last = Optional.of(computed.result());
    return switch (client.phase()) {
      case COMPLETING_ROUND ->
          advance(client, algorithm.completeRound(draft, client.round() - 1, last));
      case WORKING -> advance(client, algorithm.work(draft, client.round(), last));
      case FINISHING -> advance(client, algorithm.finish(draft, last));
      case IDLE -> Step.of(client);
    };
  }

  private Step<ServerRoundState> sendAgain(ClientState client, Event.SendFailed failed) {
    return failed.message() instanceof ClientUpdate(int round, ModelUpdate _, int attempt)
            && round == client.round()
            && client.phase() == Phase.IDLE
            && attempt < RETRIES
        ? Step.of(client, new Effect.Send(failed.to(), clientUpdate(client, attempt + 1)))
        : Step.of(client);
  }
}
