package io.kindred.methods.averaging;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
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
 * Federated averaging (McMahan et al., 2017, algorithm 1): a server hands its model to some peers,
 * each trains it, and the server averages what comes back, weighted by sample counts. With {@code
 * fineTune} what a peer deploys is the global model after that many epochs on its own data.
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
    @Setting(doc = "how long the server waits for participants", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that an answer may be late and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {

  /** How often a peer sends a model that did not arrive once more. */
  private static final int RETRIES = 5;

  /** The server says: train this. */
  @Named("fedavg/global-model")
  public record GlobalModel(int round, Weights weights) implements Message {}

  /**
   * A peer says: this is what my data made of it.
   *
   * @param attempt how often it was sent in vain
   */
  @Named("fedavg/local-model")
  public record LocalModel(int round, Weights weights, long samples, int attempt)
      implements Message {}

  /** What a server or a peer remembers. */
  public sealed interface State {}

  /**
   * What the server remembers.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param askedTick when it asked them
   * @param answers how long the last answers took
   * @param averaged of each peer the newest round whose answer was averaged, while a late one could
   *     still count
   */
  public record ServerState(
      int round,
      Weights weights,
      List<PeerId> awaited,
      List<Reply> replies,
      long askedTick,
      List<Long> answers,
      SortedMap<PeerId, Integer> averaged)
      implements State {
    ServerState with(List<PeerId> stillAwaited, List<Reply> newReplies) {
      return new ServerState(
          round, weights, stillAwaited, newReplies, askedTick, answers, averaged);
    }

    ServerState answered(long ticks) {
      return new ServerState(
          round, weights, awaited, replies, askedTick, Patience.remember(answers, ticks), averaged);
    }

    /** After the round, with what came of it. */
    ServerState over(Weights newWeights, long tick, int staleness) {
      SortedMap<PeerId, Integer> known = new TreeMap<>(averaged);
      replies.forEach(reply -> known.put(reply.from(), reply.round()));
      known.values().removeIf(each -> each <= round - staleness);
      return new ServerState(round + 1, newWeights, List.of(), List.of(), tick, answers, known);
    }
  }

  /** One participant's answer. */
  public record Reply(PeerId from, int round, Weights weights, long samples) {}

  /**
   * What a peer remembers.
   *
   * @param round the last one that it was asked for
   * @param training the model that it is training, if it is
   * @param again whether it does so a second time
   */
  public record ClientState(int round, Optional<Weights> training, boolean again)
      implements State {}

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    Machine<State> machine =
        switch (context.role()) {
          case SERVER -> new Server(this, context);
          case PEER -> new Client(context);
        };
    return List.of(new Layer<>(Component.METHOD, machine, State.class));
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(GlobalModel.class, LocalModel.class);
  }

  @Override
  public Stage lastStage() {
    // The server speaks for everybody: what it averaged is what they would deploy.
    return Stage.TRAINED;
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public void check(int peers) {
    if (participants > peers) {
      throw new Complaint(
          "method.participants",
          participants + " participants a round, but there are only " + peers + " peers",
          "choose at most " + peers + ", or 0 for everybody");
    }
  }

  /** Trains what the server sends and sends back what came of it. */
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
            client.training().isPresent()
                ? Step.of(client, train(client.round(), client.training().get()))
                : Step.of(client);
        case Event.SendFailed failed -> sendAgain(client, failed);
        case Event.Started _,
            Event.TimerFired _,
            Event.NeighboursChanged _,
            Event.LinkMeasured _,
            Event.LeaveRequested _,
            Event.Told _ ->
            Step.of(client);
      };
    }

    private Step<State> received(ClientState client, Event.Received received) {
      if (!(received.message() instanceof GlobalModel(int round, Weights weights))
          || !received.from().equals(context.server())
          || round < client.round()
          || (round == client.round() && client.training().isPresent())
          || round > context.rounds()
          || !weights.layout().equals(context.initialWeights().apply(0).layout())
          || !weights.isFinite()) {
        return Step.of(client, new Effect.Observe(new Observation.Counted("unexpected-message")));
      }
      // A server that came back does not know the answer any more; to train again is to remember
      // it.
      boolean again = round == client.round();
      return Step.of(new ClientState(round, Optional.of(weights), again), train(round, weights));
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
      if (!client.again()) {
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

  /** Chooses who trains, waits for them, averages. */
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
        case Event.Started started -> ask(server, started.tick());
        case Event.Restored restored -> resume(server, restored.tick());
        case Event.Received received -> received(server, received);
        case Event.SendFailed failed -> sendFailed(server, failed);
        case Event.TimerFired fired -> deadline(server, fired);
        case Event.Computed computed -> averaged(server, computed);
        case Event.NeighboursChanged _,
            Event.LinkMeasured _,
            Event.LeaveRequested _,
            Event.Told _ ->
            Step.of(server);
      };
    }

    private Step<State> ask(ServerState server, long tick) {
      return await(
          new ServerState(
              server.round(),
              server.weights(),
              choose(server.round()),
              List.of(),
              tick,
              server.answers(),
              server.averaged()));
    }

    /** Replies that came after the last save are gone; peers answer a round again if asked. */
    private Step<State> resume(ServerState server, long tick) {
      if (server.round() > context.rounds()) {
        return Step.of(server);
      }
      if (!server.awaited().isEmpty()) {
        return await(server);
      }
      return server.replies().isEmpty() ? ask(server, tick) : average(server, tick);
    }

    private Step<State> await(ServerState server) {
      List<Effect> effects = new ArrayList<>();
      GlobalModel model = new GlobalModel(server.round(), server.weights());
      for (PeerId peer : server.awaited()) {
        effects.add(new Effect.Send(peer, model));
      }
      effects.add(
          new Effect.SetTimer(
              new Timer(DEADLINE, server.round()), method.patience().ticks(server.answers())));
      return new Step<>(server, effects);
    }

    private List<PeerId> choose(int round) {
      List<PeerId> everybody = context.peers();
      if (method.participants() == 0 || method.participants() >= everybody.size()) {
        return everybody;
      }
      int[] order =
          context.streams().stream(Purpose.PARTICIPANTS, context.self().number(), round)
              .permutation(everybody.size());
      return Arrays.stream(order)
          .limit(method.participants())
          .sorted()
          .mapToObj(everybody::get)
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
          || isKnown(server, received.from(), round)) {
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
          ? without(
              next.answered(received.tick() - server.askedTick()), received.from(), received.tick())
          : Step.of(next);
    }

    /** One answer a peer and round; a late one counts only until a newer one is in. */
    private static boolean isKnown(ServerState server, PeerId from, int round) {
      boolean current = round == server.round();
      return current
          ? !server.awaited().contains(from)
          : server.averaged().getOrDefault(from, 0) >= round
              || server.replies().stream()
                  .anyMatch(reply -> reply.from().equals(from) && reply.round() >= round);
    }

    private Step<State> sendFailed(ServerState server, Event.SendFailed failed) {
      // A failure may come late: one of an earlier round says nothing of this one.
      return failed.message() instanceof GlobalModel(int round, Weights _)
              && round == server.round()
          ? without(server, failed.to(), failed.tick())
          : Step.of(server);
    }

    private Step<State> without(ServerState server, PeerId peer, long tick) {
      if (!server.awaited().contains(peer)) {
        return Step.of(server);
      }
      List<PeerId> left = server.awaited().stream().filter(each -> !each.equals(peer)).toList();
      ServerState next = server.with(left, server.replies());
      return left.isEmpty() ? average(next, tick) : Step.of(next);
    }

    private Step<State> deadline(ServerState server, Event.TimerFired fired) {
      if (fired.timer().number() != server.round() || server.awaited().isEmpty()) {
        return Step.of(server);
      }
      return average(server.with(List.of(), server.replies()), fired.tick());
    }

    private Step<State> average(ServerState server, long tick) {
      double total = server.replies().stream().mapToLong(Reply::samples).sum();
      if (total == 0) {
        return next(server, server.weights(), tick);
      }
      List<Reply> replies = new ArrayList<>(server.replies());
      replies.sort(Comparator.comparing(Reply::from));
      List<Part> parts =
          replies.stream()
              .map(reply -> new Part(reply.weights(), reply.samples() / total))
              .toList();
      return Step.of(
          server, new Effect.Compute(server.round(), new Ticket.Mix(new Mixture(parts))));
    }

    private Step<State> averaged(ServerState server, Event.Computed computed) {
      return computed.result() instanceof Result.Mixed(Weights weights)
              && computed.ticket() == server.round()
          ? next(server, weights, computed.tick())
          : Step.of(server);
    }

    private Step<State> next(ServerState server, Weights weights, long tick) {
      Effect deployed =
          new Effect.Observe(
              new Observation.Deployed(
                  server.round(), Stage.MIXED, predictor(server, weights), Audience.EVERYONE));
      ServerState over = server.over(weights, tick, method.staleness());
      return over.round() > context.rounds()
          ? Step.of(over, deployed)
          : ask(over, tick).after(deployed);
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
