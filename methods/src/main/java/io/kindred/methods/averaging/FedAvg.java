package io.kindred.methods.averaging;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Federated averaging (McMahan et al., 2017, algorithm 1): a server sends its model to some peers,
 * each trains it, and the server averages the trained models, weighted by sample counts. With
 * {@code fineTune} a peer deploys the global model after that many epochs on its own data.
 */
@Named(
    value = "fedavg",
    summary = "a server averages what some peers trained; optionally fine-tuned by each peer")
public record FedAvg(
    @Setting(doc = "peers that train in a round; 0 takes everybody", fallback = "0", min = 0)
        int participants,
    @Setting(
            doc = "local epochs on the global model before a peer deploys it",
            fallback = "0",
            min = 0)
        int fineTune,
    @Setting(doc = "how long the server waits for participants", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that an answer may be late and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {

  /** How often a peer retries to send a model that did not arrive. */
  private static final int RETRIES = 5;

  /** From the server to a participant: the global model to train. */
  @Named("fedavg/global-model")
  public record GlobalModel(int round, Weights weights) implements Message {}

  /**
   * From a participant to the server: the model after local training.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("fedavg/local-model")
  public record LocalModel(int round, Weights weights, long samples, int attempt)
      implements Message {}

  /** State of the server or of a client. */
  public sealed interface State {}

  /**
   * State of the server.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param requestTick when the server sent the requests of the round
   * @param latencies how long the last answers took
   * @param lastAveragedRounds for each peer the newest round whose answer was averaged, as long as
   *     a late answer could still count
   */
  public record ServerState(
      int round,
      Weights weights,
      List<PeerId> awaited,
      List<Reply> replies,
      long requestTick,
      List<Long> latencies,
      SortedMap<PeerId, Integer> lastAveragedRounds)
      implements State {
    ServerState with(List<PeerId> stillAwaited, List<Reply> newReplies) {
      return new ServerState(
          round, weights, stillAwaited, newReplies, requestTick, latencies, lastAveragedRounds);
    }

    ServerState withLatency(long ticks) {
      return new ServerState(
          round,
          weights,
          awaited,
          replies,
          requestTick,
          TimeoutPolicy.appendLatency(latencies, ticks),
          lastAveragedRounds);
    }

    /** The state of the next round, with the averaged weights. */
    ServerState afterRound(Weights newWeights, long tick, int staleness) {
      SortedMap<PeerId, Integer> known = new TreeMap<>(lastAveragedRounds);
      replies.forEach(reply -> known.put(reply.from(), reply.round()));
      known.values().removeIf(each -> each <= round - staleness);
      return new ServerState(round + 1, newWeights, List.of(), List.of(), tick, latencies, known);
    }
  }

  /** One participant's answer. */
  public record Reply(PeerId from, int round, Weights weights, long samples) {}

  /**
   * State of a client.
   *
   * @param round the last round that the server requested
   * @param modelInTraining the model in training, if any
   * @param repeated whether the client trains for this round a second time
   */
  public record ClientState(int round, Optional<Weights> modelInTraining, boolean repeated)
      implements State {}

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    Machine<State> machine =
        switch (context.role()) {
          case SERVER -> new Server(this, context);
          case PEER -> new Client(context);
        };
    return List.of(new PeerLayer<>(Component.METHOD, machine, State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(GlobalModel.class, LocalModel.class);
  }

  @Override
  public Stage lastStage() {
    // The server reports for all peers: they would deploy the model that it averaged.
    return Stage.TRAINED;
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public void check(int peers) {
    if (participants > peers) {
      throw new SettingException(
          "method.participants",
          participants + " participants a round, but there are only " + peers + " peers",
          "choose at most " + peers + ", or 0 for everybody");
    }
  }

  /** Trains the model that the server sends and returns the result. */
  private record Client(PeerContext context) implements Machine<State> {
    @Override
    public State initial() {
      return new ClientState(0, Optional.empty(), false);
    }

    @Override
    public Step<State> step(State state, Event event) {
      ClientState client = (ClientState) state;
      return switch (event) {
        case Event.Received received -> received(client, received);
        case Event.Computed computed -> trained(client, computed);
        case Event.Restored _ ->
            client.modelInTraining().isPresent()
                ? Step.of(client, train(client.round(), client.modelInTraining().get()))
                : Step.of(client);
        case Event.SendFailed failed -> sendAgain(client, failed);
        case Event.Started _,
            Event.TimerFired _,
            Event.NeighboursChanged _,
            Event.LinkMeasured _,
            Event.LeaveRequested _,
            Event.Notified _ ->
            Step.of(client);
      };
    }

    private Step<State> received(ClientState client, Event.Received received) {
      if (!(received.message() instanceof GlobalModel(int round, Weights weights))
          || !received.from().equals(context.server())
          || round < client.round()
          || (round == client.round() && client.modelInTraining().isPresent())
          || round > context.rounds()
          || !weights.layout().equals(context.initialWeights().apply(0).layout())
          || !weights.isFinite()) {
        return Step.of(client, new Effect.Observe(new Observation.Counted("unexpected-message")));
      }
      // A restored server has lost the answer. The client keeps no copy and trains again, with the
      // same result.
      boolean repeated = round == client.round();
      return Step.of(new ClientState(round, Optional.of(weights), repeated), train(round, weights));
    }

    private Effect train(int round, Weights weights) {
      return new Effect.Compute(round, context.training().round(weights, context.self(), round));
    }

    private Step<State> trained(ClientState client, Event.Computed computed) {
      // A newer request may have overtaken this result; the server no longer wants it then.
      if (!(computed.result() instanceof Result.Trained trained)
          || computed.ticket() != client.round()) {
        return Step.of(client);
      }
      List<Effect> effects = new ArrayList<>();
      if (!client.repeated()) {
        effects.add(
            new Effect.Observe(
                Observation.Deployed.of(client.round(), Stage.TRAINED, trained.weights())));
      }
      effects.add(
          new Effect.Send(
              context.server(),
              new LocalModel(client.round(), trained.weights(), context.samples(), 0)));
      return new Step<>(new ClientState(client.round(), Optional.empty(), false), effects);
    }

    private static Step<State> sendAgain(ClientState client, Event.SendFailed failed) {
      return failed.message() instanceof LocalModel(int round, Weights weights, long samples, int n)
              && round == client.round()
              && n < RETRIES
          ? Step.of(
              client, new Effect.Send(failed.to(), new LocalModel(round, weights, samples, n + 1)))
          : Step.of(client);
    }
  }

  /** Chooses the participants of a round, waits for their models and averages them. */
  private record Server(FedAvg method, PeerContext context) implements Machine<State> {
    private static final String DEADLINE = "deadline";

    @Override
    public State initial() {
      return new ServerState(
          1,
          context.initialWeights().apply(0),
          List.of(),
          List.of(),
          0,
          List.of(),
          new TreeMap<>());
    }

    @Override
    public Step<State> step(State state, Event event) {
      ServerState server = (ServerState) state;
      return switch (event) {
        case Event.Started started -> startRound(server, started.tick());
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

    private Step<State> startRound(ServerState server, long tick) {
      return requestUpdates(
          new ServerState(
              server.round(),
              server.weights(),
              chooseParticipants(server.round()),
              List.of(),
              tick,
              server.latencies(),
              server.lastAveragedRounds()));
    }

    /** Replies after the last checkpoint are lost; peers answer a repeated request again. */
    private Step<State> resume(ServerState server, long tick) {
      if (server.round() > context.rounds()) {
        return Step.of(server);
      }
      if (!server.awaited().isEmpty()) {
        return requestUpdates(server);
      }
      return server.replies().isEmpty() ? startRound(server, tick) : average(server, tick);
    }

    private Step<State> requestUpdates(ServerState server) {
      List<Effect> effects = new ArrayList<>();
      GlobalModel model = new GlobalModel(server.round(), server.weights());
      for (PeerId peer : server.awaited()) {
        effects.add(new Effect.Send(peer, model));
      }
      effects.add(
          new Effect.SetTimer(
              new Timer(DEADLINE, server.round()), method.timeout().ticks(server.latencies())));
      return new Step<>(server, effects);
    }

    private List<PeerId> chooseParticipants(int round) {
      List<PeerId> peers = context.peers();
      if (method.participants() == 0 || method.participants() >= peers.size()) {
        return peers;
      }
      int[] order =
          context.streams().stream(Purpose.PARTICIPANTS, context.self().number(), round)
              .permutation(peers.size());
      return Arrays.stream(order)
          .limit(method.participants())
          .sorted()
          .mapToObj(peers::get)
          .toList();
    }

    private Step<State> received(ServerState server, Event.Received received) {
      if (!(received.message()
              instanceof LocalModel(int round, Weights weights, long samples, int _))
          || round > server.round()
          || round < server.round() - method.staleness()
          || samples < 0
          || !weights.layout().equals(server.weights().layout())
          || !weights.isFinite()
          || !context.peers().contains(received.from())
          || server.awaited().isEmpty()
          || isDuplicate(server, received.from(), round)) {
        return Step.of(server, new Effect.Observe(new Observation.Counted("unexpected-message")));
      }
      List<Reply> replies =
          new ArrayList<>(
              server.replies().stream()
                  .filter(reply -> !reply.from().equals(received.from()))
                  .toList());
      replies.add(new Reply(received.from(), round, weights, samples));
      ServerState next = server.with(server.awaited(), replies);
      return round == server.round()
          ? stopAwaiting(
              next.withLatency(received.tick() - server.requestTick()),
              received.from(),
              received.tick())
          : Step.of(next);
    }

    /** Each peer answers a round once; a late answer counts only until a newer one has arrived. */
    private static boolean isDuplicate(ServerState server, PeerId from, int round) {
      boolean current = round == server.round();
      return current
          ? !server.awaited().contains(from)
          : server.lastAveragedRounds().getOrDefault(from, 0) >= round
              || server.replies().stream()
                  .anyMatch(reply -> reply.from().equals(from) && reply.round() >= round);
    }

    private Step<State> sendFailed(ServerState server, Event.SendFailed failed) {
      // A send failure may be reported late; a failure of an earlier round does not concern this
      // one.
      return failed.message() instanceof GlobalModel(int round, Weights _)
              && round == server.round()
          ? stopAwaiting(server, failed.to(), failed.tick())
          : Step.of(server);
    }

    private Step<State> stopAwaiting(ServerState server, PeerId peer, long tick) {
      if (!server.awaited().contains(peer)) {
        return Step.of(server);
      }
      List<PeerId> left = server.awaited().stream().filter(each -> !each.equals(peer)).toList();
      ServerState next = server.with(left, server.replies());
      return left.isEmpty() ? average(next, tick) : Step.of(next);
    }

    private Step<State> deadlineReached(ServerState server, Event.TimerFired fired) {
      if (fired.timer().number() != server.round() || server.awaited().isEmpty()) {
        return Step.of(server);
      }
      return average(server.with(List.of(), server.replies()), fired.tick());
    }

    private Step<State> average(ServerState server, long tick) {
      double total = server.replies().stream().mapToLong(Reply::samples).sum();
      if (total == 0) {
        return nextRound(server, server.weights(), tick);
      }
      List<Reply> replies = new ArrayList<>(server.replies());
      replies.sort(Comparator.comparing(Reply::from));
      List<MixturePart> parts =
          replies.stream()
              .map(reply -> new MixturePart(reply.weights(), reply.samples() / total))
              .toList();
      return Step.of(
          server, new Effect.Compute(server.round(), new Ticket.Mix(new Mixture(parts))));
    }

    private Step<State> averaged(ServerState server, Event.Computed computed) {
      return computed.result() instanceof Result.Mixed(Weights weights)
              && computed.ticket() == server.round()
          ? nextRound(server, weights, computed.tick())
          : Step.of(server);
    }

    private Step<State> nextRound(ServerState server, Weights weights, long tick) {
      Effect deployed =
          new Effect.Observe(
              new Observation.Deployed(
                  server.round(), Stage.MIXED, predictor(server, weights), Audience.EVERYONE));
      ServerState over = server.afterRound(weights, tick, method.staleness());
      return over.round() > context.rounds()
          ? Step.of(over, deployed)
          : startRound(over, tick).precededBy(deployed);
    }

    private Predictor predictor(ServerState server, Weights weights) {
      return method.fineTune() == 0
          ? new Predictor.Single(weights)
          : new Predictor.Adapted(
              context
                  .training()
                  .withEpochs(method.fineTune())
                  .round(weights, context.self(), server.round()));
    }
  }
}
