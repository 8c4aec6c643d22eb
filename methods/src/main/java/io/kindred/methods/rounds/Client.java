package io.kindred.methods.rounds;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.ServedState.ClientState;
import io.kindred.methods.rounds.ServedState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Follows a recipe around a server: takes over the common models, deploys what it makes of them,
 * does its own work and hands over what came of it.
 */
record Client<M extends Memory>(ServedRecipe<M> recipe, Patience patience)
    implements Machine<ServedState> {
  /** How often a client sends a parcel that did not arrive once more. */
  private static final int RETRIES = 5;

  /** How often a client asks a silent server for more. */
  private static final int MOST_ENQUIRIES = 20;

  private static final String SILENCE = "silence";

  /**
   * A client says: this is what came of my work.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("rounds/delivery")
  public record Delivery(int round, Parcel parcel, int attempt) implements Message {}

  /** A client says: this is the last round I know of; is there a newer one? */
  @Named("rounds/enquiry")
  public record Enquiry(int round) implements Message {}

  private PeerContext context() {
    return recipe.context();
  }

  @Override
  public ServedState initial() {
    M memory = recipe.initial();
    return new ClientState(0, Phase.IDLE, memory, memory, 0);
  }

  @Override
  public Step<ServedState> step(ServedState state, Event event) {
    ClientState client = (ClientState) state;
    return switch (event) {
      case Event.Received received -> received(client, received);
      case Event.Computed computed -> computed(client, computed);
      case Event.Restored _ -> resume(client);
      case Event.SendFailed failed -> sendAgain(client, failed);
      case Event.TimerFired fired -> silence(client, fired.timer());
      case Event.Started _ -> Step.of(client, alarm(client.round()));
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _, Event.Told _ ->
          Step.of(client);
    };
  }

  private M memory(Memory remembered) {
    return recipe.memoryType().cast(remembered);
  }

  private Step<ServedState> received(ClientState client, Event.Received received) {
    if (received.message() instanceof Server.Handout(int asked, List<Weights> _, int _)
        && received.from().equals(context().server())
        && asked == client.round()
        && asked <= context().rounds()
        && client.phase() == Phase.IDLE) {
      // A server that came back does not know the answer any more.
      return Step.of(client, new Effect.Send(context().server(), delivery(client, 0)));
    }
    if (!(received.message() instanceof Server.Handout(int round, List<Weights> models, int _))
        || !received.from().equals(context().server())
        || round <= client.round()
        || round > context().rounds() + 1
        || models.size() != recipe.slots()
        || !models.stream().allMatch(each -> each.layout().equals(layout()) && each.isFinite())) {
      return Step.of(client, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    M memory = recipe.adopt(memory(client.memory()), models);
    ClientState next = new ClientState(round, Phase.SETTLING, memory, memory, 0);
    return round == 1 ? work(next) : settle(next);
  }

  private Layout layout() {
    return context().initialWeights().apply(0).layout();
  }

  private Step<ServedState> settle(ClientState client) {
    return take(
        client, recipe.settle(memory(client.memory()), client.round() - 1, Optional.empty()));
  }

  private Step<ServedState> work(ClientState client) {
    ClientState next = client.in(Phase.WORKING, client.memory());
    return take(next, recipe.work(memory(next.memory()), next.round(), Optional.empty()));
  }

  private Step<ServedState> finish(ClientState client) {
    ClientState next = client.in(Phase.FINISHING, client.memory());
    return take(next, recipe.finish(memory(next.memory()), Optional.empty()));
  }

  private Step<ServedState> resume(ClientState client) {
    return switch (client.phase()) {
      case IDLE -> enquire(client);
      case SETTLING -> settle(client);
      case WORKING -> work(client);
      case FINISHING -> finish(client);
    };
  }

  private Step<ServedState> take(ClientState client, Turn<M> turn) {
    List<Effect> effects = new ArrayList<>();
    turn.observations().forEach(each -> effects.add(new Effect.Observe(each)));
    if (turn.work().isPresent()) {
      effects.add(new Effect.Compute(client.round(), turn.work().get()));
      return new Step<>(client.drafting(turn.memory()), effects);
    }
    ClientState idle = client.in(Phase.IDLE, turn.memory());
    Step<ServedState> next =
        switch (client.phase()) {
          case SETTLING -> client.round() > context().rounds() ? finish(idle) : work(idle);
          case WORKING ->
              Step.of(
                  idle,
                  new Effect.Send(context().server(), delivery(idle, 0)),
                  alarm(idle.round()));
          case FINISHING -> Step.of(idle);
          case IDLE -> throw new IllegalStateException("no work while idle");
        };
    effects.addAll(next.effects());
    return new Step<>(next.state(), effects);
  }

  private Effect alarm(int round) {
    return new Effect.SetTimer(new Timer(SILENCE, round), 2 * patience.ticks(List.of()));
  }

  private Step<ServedState> silence(ClientState client, Timer timer) {
    return client.phase() == Phase.IDLE && timer.number() == client.round()
        ? enquire(client)
        : Step.of(client);
  }

  /** What the server says may be lost, or said while this client was away: it asks again. */
  private Step<ServedState> enquire(ClientState client) {
    return client.round() > context().rounds() || client.enquiries() >= MOST_ENQUIRIES
        ? Step.of(client)
        : Step.of(
            client.enquiring(),
            new Effect.Send(context().server(), new Enquiry(client.round())),
            alarm(client.round()));
  }

  private Delivery delivery(ClientState client, int attempt) {
    return new Delivery(client.round(), recipe.parcel(memory(client.memory())), attempt);
  }

  private Step<ServedState> computed(ClientState client, Event.Computed computed) {
    // A newer request may have overtaken this result; the server no longer wants it then.
    if (computed.ticket() != client.round()) {
      return Step.of(client);
    }
    M draft = memory(client.draft());
    Optional<Result> last = Optional.of(computed.result());
    return switch (client.phase()) {
      case SETTLING -> take(client, recipe.settle(draft, client.round() - 1, last));
      case WORKING -> take(client, recipe.work(draft, client.round(), last));
      case FINISHING -> take(client, recipe.finish(draft, last));
      case IDLE -> Step.of(client);
    };
  }

  private Step<ServedState> sendAgain(ClientState client, Event.SendFailed failed) {
    return failed.message() instanceof Delivery(int round, Parcel _, int attempt)
            && round == client.round()
            && client.phase() == Phase.IDLE
            && attempt < RETRIES
        ? Step.of(client, new Effect.Send(failed.to(), delivery(client, attempt + 1)))
        : Step.of(client);
  }
}
