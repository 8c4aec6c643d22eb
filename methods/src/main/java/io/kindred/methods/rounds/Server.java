package io.kindred.methods.rounds;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.MixtureSources;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.ServerMessage.Poll;
import io.kindred.methods.rounds.ServerMessage.ServerModels;
import io.kindred.methods.rounds.ServerRoundState.Reply;
import io.kindred.methods.rounds.ServerRoundState.ServerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps the common models of a {@link ServerRoundAlgorithm}: sends them to the participants of a
 * round, waits for their updates, and averages the updates slot by slot, weighted by shares. After
 * the last round all clients receive the final models.
 *
 * @param retainedShare share of the old model that stays in the new one
 */
public record Server(
    ServerRoundAlgorithm<?> algorithm, RoundSettings settings, double retainedShare)
    implements Machine<ServerRoundState> {
  private static final String DEADLINE = "deadline";

  /** How often the server retries to send the final models to a client. */
  private static final int RETRIES = 5;

  /** The machine of this peer, be it the server or a client, as the only layer of a method. */
  static <M extends LocalState> List<PeerLayer<?>> singleLayer(
      ServerRoundAlgorithm<M> algorithm, RoundSettings settings, double retainedShare) {
    Machine<ServerRoundState> machine =
        switch (algorithm.context().role()) {
          case SERVER -> new Server(algorithm, settings, retainedShare);
          case PEER -> new Client<>(algorithm, settings);
        };
    return List.of(new PeerLayer<>(Component.METHOD, machine, ServerRoundState.class));
  }

  private PeerContext context() {
    return algorithm.context();
  }

  @Override
  public ServerRoundState initial() {
    return new ServerState(
        1,
        algorithm.commonModels(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        0,
        List.of(),
        new TreeMap<>());
  }

  @Override
  public Step<ServerRoundState> step(ServerRoundState state, Event event) {
    ServerState server = (ServerState) state;
    return switch (event) {
      case Event.Started started -> startRound(server, 1, server.models(), started.tick());
      case Event.Restored restored -> resume(server, restored.tick());
      case Event.Received received -> received(server, received);
      case Event.SendFailed failed -> sendFailed(server, failed);
      case Event.TimerFired fired -> deadlineReached(server, fired);
      case Event.Computed computed -> averaged(server, computed);
      case Event.NeighboursChanged _,
          Event.LinkMeasured _,
          Event.LeaveRequested _,
          Event.Notified _ ->
          Step.of(server);
    };
  }

  private Step<ServerRoundState> startRound(
      ServerState server, int round, List<Weights> models, long tick) {
    return requestUpdates(server.atRound(round, models, participants(round), tick));
  }

  private List<PeerId> participants(int round) {
    return settings.participants(context(), round);
  }

  /** Replies after the last checkpoint are lost; clients answer a repeated request again. */
  private Step<ServerRoundState> resume(ServerState server, long tick) {
    if (server.round() > context().rounds()) {
      return Step.of(server);
    }
    if (!server.awaited().isEmpty()) {
      return requestUpdates(server);
    }
    return server.replies().isEmpty()
        ? startRound(server, server.round(), server.models(), tick)
        : average(
            ServerStateBuilder.from(server.averaging(List.of()))
                .mixingShares(Optional.empty())
                .build(),
            tick);
  }

  private ServerModels modelsMessage(ServerState server, PeerId peer, int attempt) {
    int place = context().peers().indexOf(peer);
    return new ServerModels(server.round(), algorithm.modelsFor(place, server.models()), attempt);
  }

  private Step<ServerRoundState> requestUpdates(ServerState server) {
    List<Effect> effects = new ArrayList<>();
    for (PeerId peer : server.awaited()) {
      effects.add(new Effect.Send(peer, modelsMessage(server, peer, 0)));
    }
    effects.add(
        new Effect.SetTimer(
            new Timer(DEADLINE, server.round()), settings.timeout().ticks(server.latencies())));
    return new Step<>(server, effects);
  }

  private Step<ServerRoundState> received(ServerState server, Event.Received received) {
    if (received.message() instanceof Poll(int known)
        && context().peers().contains(received.from())) {
      return polled(server, received.from(), known);
    }
    if (!(received.message() instanceof ClientUpdate(int round, ModelUpdate update, int _))
        || !isAwaited(server, received.from(), round)
        || !update.isValid(algorithm.slots(), server.models().getFirst().layout())) {
      return Step.of(server, new Effect.Observe(new Observation.Counted("unexpected-message")));
    }
    List<Reply> replies = new ArrayList<>(server.replies());
    replies.removeIf(reply -> reply.from().equals(received.from()));
    replies.add(new Reply(received.from(), round, update));
    ServerStateBuilder next = ServerStateBuilder.from(server).replies(replies);
    if (round < server.round()) {
      return Step.of(next.build());
    }
    long latency = received.tick() - server.requestTick();
    next.latencies(TimeoutPolicy.appendLatency(server.latencies(), latency));
    return stopAwaiting(next.build(), received.from(), received.tick());
  }

  /**
   * Whether an update can still be averaged. A participant's update of the current round counts
   * once. Its update of an earlier round counts within the staleness bound, until the server has
   * averaged or received one at least as new.
   */
  private boolean isAwaited(ServerState server, PeerId from, int round) {
    if (server.awaited().isEmpty()) {
      return false;
    }
    if (round == server.round()) {
      return server.awaited().contains(from);
    }
    return round < server.round()
        && round >= Math.max(1, server.round() - settings.staleness())
        && participants(round).contains(from)
        && server.lastAveragedRounds().getOrDefault(from, 0) < round
        && server.replies().stream()
            .noneMatch(reply -> reply.from().equals(from) && reply.round() >= round);
  }

  /** Only a participant has missed something: other clients receive no models in this round. */
  private Step<ServerRoundState> polled(ServerState server, PeerId from, int known) {
    boolean missed =
        known < server.round()
            && (server.round() > context().rounds() || participants(server.round()).contains(from));
    return missed ? catchUp(server, from) : Step.of(server);
  }

  /**
   * Sends the models to a client that missed them, and awaits its update if others are still
   * awaited.
   */
  private Step<ServerRoundState> catchUp(ServerState server, PeerId peer) {
    boolean wanted =
        !server.awaited().isEmpty()
            && !server.awaited().contains(peer)
            && server.replies().stream()
                .noneMatch(reply -> reply.from().equals(peer) && reply.round() == server.round());
    List<PeerId> awaited = new ArrayList<>(server.awaited());
    if (wanted) {
      awaited.add(peer);
    }
    return Step.of(
        ServerStateBuilder.from(server).awaited(awaited).build(),
        new Effect.Send(peer, modelsMessage(server, peer, 0)));
  }

  private Step<ServerRoundState> sendFailed(ServerState server, Event.SendFailed failed) {
    // A send failure may be reported late; a failure of an earlier round does not concern this one.
    if (!(failed.message() instanceof ServerModels(int round, List<Weights> _, int attempt))
        || round != server.round()) {
      return Step.of(server);
    }
    boolean outcome = round > context().rounds();
    return outcome && attempt < RETRIES
        ? Step.of(
            server, new Effect.Send(failed.to(), modelsMessage(server, failed.to(), attempt + 1)))
        : stopAwaiting(server, failed.to(), failed.tick());
  }

  private Step<ServerRoundState> stopAwaiting(ServerState server, PeerId peer, long tick) {
    if (!server.awaited().contains(peer)) {
      return Step.of(server);
    }
    List<PeerId> left = server.awaited().stream().filter(each -> !each.equals(peer)).toList();
    ServerState next = ServerStateBuilder.from(server).awaited(left).build();
    return left.isEmpty() ? average(next, tick) : Step.of(next);
  }

  private Step<ServerRoundState> deadlineReached(ServerState server, Event.TimerFired fired) {
    return fired.timer().number() == server.round() && !server.awaited().isEmpty()
        ? average(ServerStateBuilder.from(server).awaited(List.of()).build(), fired.tick())
        : Step.of(server);
  }

  /** Averages the next model that has updates; models without updates stay unchanged. */
  private Step<ServerRoundState> average(ServerState server, long tick) {
    if (algorithm.hasModelPerClient()
        && server.mixingShares().isEmpty()
        && !server.replies().isEmpty()) {
      Ticket shares = algorithm.computeShares(deliveredModels(server));
      return Step.of(server.averaging(List.of()), new Effect.Compute(server.round(), shares));
    }
    List<Weights> soFar = new ArrayList<>(server.averaged());
    while (soFar.size() < server.models().size()) {
      List<MixturePart> mixtureParts = parts(server, soFar.size());
      if (!mixtureParts.isEmpty()) {
        Mixture mixture = new Mixture(mixtureParts);
        return Step.of(
            server.averaging(soFar),
            new Effect.Observe(observeMixture(server, soFar.size(), mixture)),
            new Effect.Compute(server.round(), new Ticket.Mix(mixture)));
      }
      soFar.add(server.models().get(soFar.size()));
    }
    return nextRound(server, soFar, tick);
  }

  /** The slot of a model of one client is the place of the client. */
  private Observation observeMixture(ServerState server, int slot, Mixture mixture) {
    MixtureSources sources =
        new MixtureSources(
            context().self(),
            sortedReplies(server).stream()
                .flatMap(reply -> reply.update().sources(reply.from(), reply.round(), algorithm))
                .toList());
    return sources.observe(server.round(), slot, weighting(), mixture);
  }

  private Weighting weighting() {
    if (algorithm.hasModelPerClient()) {
      return Weighting.ESTIMATED;
    }
    return algorithm.sharesAreSamples() ? Weighting.SAMPLES : Weighting.EQUAL;
  }

  private static List<Reply> sortedReplies(ServerState server) {
    List<Reply> replies = new ArrayList<>(server.replies());
    replies.sort(Comparator.comparing(Reply::from));
    return replies;
  }

  private static List<SlotModel> deliveredModels(ServerState server) {
    return sortedReplies(server).stream()
        .flatMap(reply -> reply.update().models().stream())
        .toList();
  }

  private List<MixturePart> parts(ServerState server, int slot) {
    return algorithm.hasModelPerClient() ? personalParts(server, slot) : commonParts(server, slot);
  }

  private List<MixturePart> commonParts(ServerState server, int slot) {
    List<SlotModel> models =
        deliveredModels(server).stream()
            .filter(model -> model.slot() == slot && model.share() > 0)
            .toList();
    double total = models.stream().mapToDouble(SlotModel::share).sum();
    List<MixturePart> parts = new ArrayList<>();
    for (SlotModel model : models) {
      parts.add(new MixturePart(model.weights(), (1 - retainedShare) * model.share() / total));
    }
    if (!parts.isEmpty() && retainedShare > 0) {
      parts.addFirst(new MixturePart(server.models().get(slot), retainedShare));
    }
    return parts;
  }

  /** A client that sent no update keeps its model. */
  private List<MixturePart> personalParts(ServerState server, int place) {
    List<PeerId> from = sortedReplies(server).stream().map(Reply::from).toList();
    int row = from.indexOf(context().peers().get(place));
    if (row < 0 || server.mixingShares().isEmpty()) {
      return List.of();
    }
    List<SlotModel> models = deliveredModels(server);
    List<Double> shares = server.mixingShares().get().shares().get(row);
    List<MixturePart> parts = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      if (shares.get(i) > 0) {
        parts.add(new MixturePart(models.get(i).weights(), shares.get(i)));
      }
    }
    return parts;
  }

  private Step<ServerRoundState> averaged(ServerState server, Event.Computed computed) {
    if (computed.ticket() != server.round() || !server.awaited().isEmpty()) {
      return Step.of(server);
    }
    if (computed.result()
        instanceof Result.Answered(ServerRoundAlgorithm.MixingShares mixingShares)) {
      return average(
          ServerStateBuilder.from(server.averaging(List.of()))
              .mixingShares(Optional.of(mixingShares))
              .build(),
          computed.tick());
    }
    if (!(computed.result() instanceof Result.Mixed(Weights weights))) {
      return Step.of(server);
    }
    List<Weights> soFar = new ArrayList<>(server.averaged());
    soFar.add(weights);
    return average(server.averaging(soFar), computed.tick());
  }

  private Step<ServerRoundState> nextRound(ServerState server, List<Weights> models, long tick) {
    int round = server.round() + 1;
    ServerState done = server.rememberAveraged(settings.staleness());
    Effect completed = new Effect.Observe(new Observation.RoundCompleted(server.round()));
    if (round <= context().rounds()) {
      Step<ServerRoundState> next = startRound(done, round, models, tick);
      return next.precededBy(deployments(server.round(), models)).precededBy(completed);
    }
    ServerState last = done.atRound(round, models, List.of(), tick);
    return new Step<ServerRoundState>(
            last,
            context().peers().stream()
                .<Effect>map(peer -> new Effect.Send(peer, modelsMessage(last, peer, 0)))
                .toList())
        .precededBy(completed);
  }

  /**
   * Reports what the clients that take no part in the next round would deploy. The participants
   * receive the new models and report for themselves.
   */
  private List<Effect> deployments(int round, List<Weights> models) {
    List<PeerId> informed = participants(round + 1);
    List<Effect> effects = new ArrayList<>();
    for (int place = 0; place < context().peers().size(); place++) {
      PeerId client = context().peers().get(place);
      if (informed.size() < context().peers().size() && !informed.contains(client)) {
        algorithm
            .clientPredictor(client, round, algorithm.modelsFor(place, models))
            .map(predictor -> new Deployed(round, Stage.MIXED, predictor, Audience.SELF))
            .ifPresent(
                deployed ->
                    effects.add(
                        new Effect.Observe(new Observation.ClientDeployed(client, deployed))));
      }
    }
    return effects;
  }
}
