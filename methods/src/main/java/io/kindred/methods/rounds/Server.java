package io.kindred.methods.rounds;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.ServedState.Reply;
import io.kindred.methods.rounds.ServedState.ServerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the common models of a {@link ServedRecipe}: hands them to everybody, waits for what they
 * make of them, and averages it slot by slot, weighted by shares. After the last round everybody
 * gets the outcome.
 *
 * @param kept share of the old model that stays in the new one
 */
public record Server(ServedRecipe<?> recipe, Patience patience, double kept)
    implements Machine<ServedState> {
  private static final String DEADLINE = "deadline";

  /** How often the outcome is sent once more to whom it did not reach. */
  private static final int RETRIES = 5;

  /**
   * The server says: these are the common models now.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("rounds/handout")
  public record Handout(int round, List<Weights> models, int attempt) implements Message {
    public Handout {
      models = List.copyOf(models);
    }
  }

  /** Every message between a server and its clients. */
  public static List<Class<? extends Message>> messages() {
    return List.of(Handout.class, Client.Delivery.class, Client.Enquiry.class);
  }

  /** The machine of this peer, be it the server or a client, as the only layer of a method. */
  public static <M extends Memory> List<Layer<?>> alone(
      ServedRecipe<M> recipe, Patience patience, double kept) {
    Machine<ServedState> machine =
        switch (recipe.context().role()) {
          case SERVER -> new Server(recipe, patience, kept);
          case PEER -> new Client<>(recipe, patience);
        };
    return List.of(new Layer<>(Component.METHOD, machine, ServedState.class));
  }

  private PeerContext context() {
    return recipe.context();
  }

  @Override
  public ServedState initial() {
    return new ServerState(
        1, recipe.common(), List.of(), List.of(), Optional.empty(), List.of(), 0, List.of());
  }

  @Override
  public Step<ServedState> step(ServedState state, Event event) {
    ServerState server = (ServerState) state;
    return switch (event) {
      case Event.Started started -> ask(server, 1, server.models(), started.tick());
      case Event.Restored restored -> resume(server, restored.tick());
      case Event.Received received -> received(server, received);
      case Event.SendFailed failed -> sendFailed(server, failed);
      case Event.TimerFired fired -> deadline(server, fired);
      case Event.Computed computed -> averaged(server, computed);
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _, Event.Told _ ->
          Step.of(server);
    };
  }

  private Step<ServedState> ask(ServerState server, int round, List<Weights> models, long tick) {
    return await(
        new ServerState(
            round,
            models,
            context().peers(),
            List.of(),
            Optional.empty(),
            List.of(),
            tick,
            server.answers()));
  }

  /** Replies that came after the last save are gone; clients answer a round again if asked. */
  private Step<ServedState> resume(ServerState server, long tick) {
    if (server.round() > context().rounds()) {
      return Step.of(server);
    }
    if (!server.awaited().isEmpty()) {
      return await(server);
    }
    return server.replies().isEmpty()
        ? ask(server, server.round(), server.models(), tick)
        : average(server.weighing(Optional.empty()), tick);
  }

  private Handout handout(ServerState server, PeerId peer, int attempt) {
    int place = context().peers().indexOf(peer);
    return new Handout(server.round(), recipe.handedTo(place, server.models()), attempt);
  }

  private Step<ServedState> await(ServerState server) {
    List<Effect> effects = new ArrayList<>();
    for (PeerId peer : server.awaited()) {
      effects.add(new Effect.Send(peer, handout(server, peer, 0)));
    }
    effects.add(
        new Effect.SetTimer(new Timer(DEADLINE, server.round()), patience.ticks(server.answers())));
    return new Step<>(server, effects);
  }

  private Step<ServedState> received(ServerState server, Event.Received received) {
    if (received.message() instanceof Client.Enquiry(int known)
        && context().peers().contains(received.from())) {
      return known < server.round() ? catchUp(server, received.from()) : Step.of(server);
    }
    if (!(received.message() instanceof Client.Delivery(int round, Parcel parcel, int _))
        || round != server.round()
        || !server.awaited().contains(received.from())
        || !parcel.isSound(recipe.slots(), server.models().getFirst().layout())) {
      return Step.of(server, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Reply> replies = new ArrayList<>(server.replies());
    replies.add(new Reply(received.from(), parcel));
    return without(
        server.with(server.awaited(), replies).answered(received.tick() - server.askedTick()),
        received.from(),
        received.tick());
  }

  /** Who missed the last handout gets it, and is waited for while that still makes sense. */
  private Step<ServedState> catchUp(ServerState server, PeerId peer) {
    boolean wanted =
        !server.awaited().isEmpty()
            && !server.awaited().contains(peer)
            && server.replies().stream().noneMatch(reply -> reply.from().equals(peer));
    List<PeerId> awaited = new ArrayList<>(server.awaited());
    if (wanted) {
      awaited.add(peer);
    }
    return Step.of(
        server.with(awaited, server.replies()), new Effect.Send(peer, handout(server, peer, 0)));
  }

  private Step<ServedState> sendFailed(ServerState server, Event.SendFailed failed) {
    // A failure may come late: one of an earlier round says nothing of this one.
    if (!(failed.message() instanceof Handout(int round, List<Weights> _, int attempt))
        || round != server.round()) {
      return Step.of(server);
    }
    boolean outcome = round > context().rounds();
    return outcome && attempt < RETRIES
        ? Step.of(server, new Effect.Send(failed.to(), handout(server, failed.to(), attempt + 1)))
        : without(server, failed.to(), failed.tick());
  }

  private Step<ServedState> without(ServerState server, PeerId peer, long tick) {
    if (!server.awaited().contains(peer)) {
      return Step.of(server);
    }
    List<PeerId> left = server.awaited().stream().filter(each -> !each.equals(peer)).toList();
    ServerState next = server.with(left, server.replies());
    return left.isEmpty() ? average(next, tick) : Step.of(next);
  }

  private Step<ServedState> deadline(ServerState server, Event.TimerFired fired) {
    return fired.timer().number() == server.round() && !server.awaited().isEmpty()
        ? average(server.with(List.of(), server.replies()), fired.tick())
        : Step.of(server);
  }

  /** Averages the next model that somebody answered for; the others stay as they are. */
  private Step<ServedState> average(ServerState server, long tick) {
    if (recipe.personal() && server.weighed().isEmpty() && !server.replies().isEmpty()) {
      Ticket weigh = recipe.weigh(delivered(server));
      return Step.of(server.weighing(Optional.empty()), new Effect.Compute(server.round(), weigh));
    }
    List<Weights> soFar = new ArrayList<>(server.averaged());
    while (soFar.size() < server.models().size()) {
      List<Part> parts = parts(server, soFar.size());
      if (!parts.isEmpty()) {
        return Step.of(
            server.averaging(soFar),
            new Effect.Compute(server.round(), new Ticket.Mix(new Mixture(parts))));
      }
      soFar.add(server.models().get(soFar.size()));
    }
    return next(server, soFar, tick);
  }

  private static List<Reply> sorted(ServerState server) {
    List<Reply> replies = new ArrayList<>(server.replies());
    replies.sort(Comparator.comparing(Reply::from));
    return replies;
  }

  private static List<Item> delivered(ServerState server) {
    return sorted(server).stream().flatMap(reply -> reply.parcel().items().stream()).toList();
  }

  private List<Part> parts(ServerState server, int slot) {
    return recipe.personal() ? personalParts(server, slot) : commonParts(server, slot);
  }

  private List<Part> commonParts(ServerState server, int slot) {
    List<Item> items =
        delivered(server).stream().filter(item -> item.slot() == slot && item.share() > 0).toList();
    double total = items.stream().mapToDouble(Item::share).sum();
    List<Part> parts = new ArrayList<>();
    for (Item item : items) {
      parts.add(new Part(item.weights(), (1 - kept) * item.share() / total));
    }
    if (!parts.isEmpty() && kept > 0) {
      parts.addFirst(new Part(server.models().get(slot), kept));
    }
    return parts;
  }

  /** Who delivered nothing keeps the model that it had. */
  private List<Part> personalParts(ServerState server, int place) {
    List<PeerId> from = sorted(server).stream().map(Reply::from).toList();
    int row = from.indexOf(context().peers().get(place));
    if (row < 0 || server.weighed().isEmpty()) {
      return List.of();
    }
    List<Item> items = delivered(server);
    List<Double> shares = server.weighed().get().shares().get(row);
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (shares.get(i) > 0) {
        parts.add(new Part(items.get(i).weights(), shares.get(i)));
      }
    }
    return parts;
  }

  private Step<ServedState> averaged(ServerState server, Event.Computed computed) {
    if (computed.ticket() != server.round() || !server.awaited().isEmpty()) {
      return Step.of(server);
    }
    if (computed.result() instanceof Result.Answered(ServedRecipe.Weighed weighed)) {
      return average(server.weighing(Optional.of(weighed)), computed.tick());
    }
    if (!(computed.result() instanceof Result.Mixed(Weights weights))) {
      return Step.of(server);
    }
    List<Weights> soFar = new ArrayList<>(server.averaged());
    soFar.add(weights);
    return average(server.averaging(soFar), computed.tick());
  }

  private Step<ServedState> next(ServerState server, List<Weights> models, long tick) {
    int round = server.round() + 1;
    Effect over = new Effect.Observe(new Observation.RoundOver(server.round()));
    if (round <= context().rounds()) {
      return ask(server, round, models, tick).after(over);
    }
    ServerState last =
        new ServerState(
            round,
            models,
            List.of(),
            List.of(),
            Optional.empty(),
            List.of(),
            tick,
            server.answers());
    return new Step<ServedState>(
            last,
            context().peers().stream()
                .<Effect>map(peer -> new Effect.Send(peer, handout(last, peer, 0)))
                .toList())
        .after(over);
  }
}
