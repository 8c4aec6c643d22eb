package io.kindred.methods.kin;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.methods.kin.GuardModels.GuardedModels;
import io.kindred.methods.kin.KinMessage.ModelReply;
import io.kindred.methods.kin.KinMessage.ModelRequest;
import io.kindred.methods.kin.KinState.Answer;
import io.kindred.methods.kin.KinState.DeferredRequest;
import io.kindred.methods.kin.KinState.PullReason;
import io.kindred.methods.kin.KinState.PullRound;
import io.kindred.methods.kin.KinState.Task;
import io.kindred.protocol.discovery.DiscoveryLocalMessage;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds peers, asks them for their shared models, and answers such requests. */
record KinPull(KinMachine machine) {
  static final String PULL = "pull";

  private static final Purpose JOIN = new Purpose("kin-join");

  /** How often a peer retries to send a message that did not arrive. */
  private static final int RETRIES = 5;

  /** Limit of requests that wait for a model; further requests are answered with the last one. */
  private static final int MAX_DEFERRED = 4096;

  private KinSettings settings() {
    return machine.settings();
  }

  private static Effect counted(String name) {
    return new Effect.Observe(new Observation.Counted(name));
  }

  /** Asks peers that the shell knows whether the network has begun without this peer. */
  Step<KinState> join(KinState state, List<PeerId> known, long tick) {
    List<PeerId> sorted =
        known.stream().filter(each -> !each.equals(machine.context().self())).sorted().toList();
    List<PeerId> asked = new ArrayList<>();
    for (int index :
        machine.context().streams().stream(JOIN, machine.context().self().number(), tick)
            .permutation(sorted.size())) {
      if (asked.size() < settings().k()) {
        asked.add(sorted.get(index));
      }
    }
    return request(
        state.withPull(waiting(PullReason.JOIN)),
        asked,
        Ticks.ofSeconds(settings().timeout().minSeconds()),
        tick);
  }

  /** Pulls before the next training, because rounds may have passed while the peer was away. */
  Step<KinState> catchUp(KinState state, long tick) {
    return searched(
        state.withPull(waiting(PullReason.CATCH_UP)).withTasks(List.of(Task.GUARD, Task.MIX)),
        machine.search(state).search(state.search(), tick),
        tick);
  }

  private static PullRound waiting(PullReason reason) {
    return PullRoundBuilder.from(PullRound.NONE).reason(reason).waiting(true).build();
  }

  /** Describes the trained model, and begins to search. */
  Step<KinState> describe(KinState state, long tick) {
    return searched(
        state.withPull(waiting(PullReason.ROUND)),
        machine.search(state).describe(state.search(), tick),
        tick);
  }

  Step<KinState> described(KinState state, Result result, long tick) {
    return searched(state, machine.search(state).computed(state.search(), result, tick), tick);
  }

  /** A pull that a restart interrupted begins again with the search. */
  Step<KinState> searchAgain(KinState state, long tick) {
    Step<KinState> search =
        searched(
            state.withPull(waiting(PullReason.ROUND)),
            machine.search(state).search(state.search(), tick),
            tick);
    // The pull may have ended at once, and then the next task is being performed already.
    return search.state().pull().waiting() ? performAfter(search, tick) : search;
  }

  /** Goes on with the next task while peers are searched and answers travel. */
  private Step<KinState> performAfter(Step<KinState> begun, long tick) {
    return machine.perform(begun.state(), tick).precededBy(begun.effects());
  }

  Step<KinState> notified(KinState state, LocalMessage message, long tick) {
    return searched(
        state, machine.search(state).notified(state.search(), message, state.latencies()), tick);
  }

  /** Takes the progress of a search over; a search that has found peers ends with requests. */
  private Step<KinState> searched(KinState state, PeerSearch.Progress progress, long tick) {
    KinState next = state.withSearch(progress.state());
    Step<KinState> step =
        progress
            .found()
            .map(
                candidates ->
                    request(
                        next,
                        candidates.stream().map(Candidate::peer).toList(),
                        settings().timeout().ticks(state.latencies()),
                        tick))
            .orElseGet(() -> Step.of(next));
    boolean described =
        next.isAt(Task.DESCRIBE) && progress.state().phase() != PeerSearchState.Phase.DESCRIBING;
    return (described
            ? performAfter(new Step<>(step.state().taskDone(), step.effects()), tick)
            : step)
        .precededBy(progress.effects());
  }

  private Step<KinState> request(KinState state, List<PeerId> asked, long timeout, long tick) {
    PullRound pull =
        PullRoundBuilder.from(state.pull()).number(tick).requestTick(tick).asked(asked).build();
    if (asked.isEmpty()) {
      return ended(state.withPull(pull), tick);
    }
    int round = pull.reason() == PullReason.ROUND ? state.round() : 0;
    List<Effect> effects = new ArrayList<>();
    asked.forEach(each -> effects.add(new Effect.Send(each, new ModelRequest(round, 0))));
    effects.add(new Effect.SetTimer(new Timer(PULL, pull.number()), timeout));
    return new Step<>(state.withPull(pull), effects);
  }

  /** No further answer is awaited. */
  private Step<KinState> ended(KinState state, long tick) {
    KinState next = state.withPull(PullRoundBuilder.from(state.pull()).waiting(false).build());
    return switch (state.pull().reason()) {
      case JOIN -> new CatchUp(machine).joined(next, tick);
      case CATCH_UP -> new CatchUp(machine).caughtUp(next, tick);
      case ROUND -> next.isAt(Task.GUARD) ? machine.perform(next, tick) : Step.of(next);
    };
  }

  Step<KinState> timerFired(KinState state, Event.TimerFired fired) {
    PullRound pull = state.pull();
    if (!fired.timer().name().equals(PULL)) {
      return searched(
          state, machine.search(state).timerFired(state.search(), fired.timer()), fired.tick());
    }
    return pull.waiting() && fired.timer().number() == pull.number()
        ? ended(state, fired.tick()).precededBy(counted("patience-ended"))
        : Step.of(state);
  }

  Step<KinState> received(KinState state, Event.Received received) {
    return switch (received.message()) {
      case ModelRequest request -> requested(state, received.from(), request.round());
      case ModelReply reply -> replied(state, received.from(), reply, received.tick());
      default -> Step.of(state, counted("unexpected-message"));
    };
  }

  private Step<KinState> requested(KinState state, PeerId from, int round) {
    if (round < 0 || round > machine.context().rounds()) {
      return Step.of(state, counted("unexpected-message"));
    }
    List<DeferredRequest> deferred = new ArrayList<>(state.deferred());
    deferred.removeIf(each -> each.from().equals(from));
    if (round <= state.trained().round()
        || !state.choice().trainsShared()
        || deferred.size() >= MAX_DEFERRED) {
      return Step.of(state, new Effect.Send(from, reply(state, 0)));
    }
    deferred.add(new DeferredRequest(from, round));
    return Step.of(KinStateBuilder.from(state).deferred(deferred).build());
  }

  /** Answers all requests that waited for the model that has just been trained. */
  Step<KinState> answerDeferred(KinState state) {
    List<Effect> effects = new ArrayList<>();
    List<DeferredRequest> left = new ArrayList<>();
    for (DeferredRequest each : state.deferred()) {
      if (each.round() <= state.trained().round()) {
        effects.add(new Effect.Send(each.from(), reply(state, 0)));
      } else {
        left.add(each);
      }
    }
    return new Step<>(KinStateBuilder.from(state).deferred(left).build(), effects);
  }

  /** A choice without the shared model ends its training: the last model answers all requests. */
  Step<KinState> answerAll(KinState state) {
    List<Effect> effects = new ArrayList<>();
    state.deferred().forEach(each -> effects.add(new Effect.Send(each.from(), reply(state, 0))));
    return new Step<>(KinStateBuilder.from(state).deferred(List.of()).build(), effects);
  }

  private ModelReply reply(KinState state, int attempt) {
    OwnModel model = state.trained();
    return new ModelReply(
        model.round(),
        model.version(),
        model.round() == 0 ? Optional.empty() : Optional.of(model.trained()),
        machine.context().samples(),
        state.choice().scores().map(Scores::centred),
        state.choice().combined(),
        state.choice().choice(),
        attempt);
  }

  private Step<KinState> replied(KinState state, PeerId from, ModelReply reply, long tick) {
    if (!isValid(reply)) {
      return Step.of(state, counted("unexpected-message"));
    }
    PullRound pull = state.pull();
    if (!pull.isAwaiting(from)) {
      return Step.of(state, counted("late-model"));
    }
    List<Answer> answers = new ArrayList<>(pull.answers());
    answers.add(new Answer(from, reply));
    KinState next =
        KinStateBuilder.from(state)
            .pull(PullRoundBuilder.from(pull).answers(answers).build())
            .latencies(TimeoutPolicy.appendLatency(state.latencies(), tick - pull.requestTick()))
            .build();
    return answers.size() == pull.asked().size() ? ended(next, tick) : Step.of(next);
  }

  private boolean isValid(ModelReply reply) {
    return reply.round() >= 0
        && reply.round() <= machine.context().rounds()
        && reply.samples() >= 0
        && reply.weights().isPresent() == reply.round() > 0
        && reply
            .weights()
            .map(
                weights ->
                    weights.layout().equals(machine.rules().start().layout()) && weights.isFinite())
            .orElse(true);
  }

  /** One lost message does not mean that a peer is down; after all retries it is given up. */
  Step<KinState> sendFailed(KinState state, Event.SendFailed failed) {
    Effect counted = counted("send-failed");
    return switch (failed.message()) {
      case ModelReply reply when reply.attempt() < RETRIES ->
          Step.of(state, counted, new Effect.Send(failed.to(), reply(state, reply.attempt() + 1)));
      case ModelRequest request when state.pull().isAwaiting(failed.to()) ->
          request.attempt() < RETRIES
              ? Step.of(
                  state,
                  counted,
                  new Effect.Send(
                      failed.to(), new ModelRequest(request.round(), request.attempt() + 1)))
              : withoutPeer(state, failed.to(), failed.tick())
                  .precededBy(settings().discovery().unreachable(failed.to()).stream().toList())
                  .precededBy(counted);
      default -> Step.of(state, counted);
    };
  }

  private Step<KinState> withoutPeer(KinState state, PeerId unreachable, long tick) {
    PullRound pull = state.pull();
    List<PeerId> asked = pull.asked().stream().filter(each -> !each.equals(unreachable)).toList();
    KinState next = state.withPull(PullRoundBuilder.from(pull).asked(asked).build());
    return pull.answers().size() == asked.size() ? ended(next, tick) : Step.of(next);
  }

  /** Tells discovery what the pulled models are, so that it can check what was advertised. */
  List<Effect> checked(KinState state, GuardedModels guarded) {
    List<GuardModels.PulledModel> models = machine.rules().pulled(state);
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < guarded.sketches().size(); i++) {
      effects.add(
          new Effect.Notify(
              Component.DISCOVERY,
              new DiscoveryLocalMessage.ModelPulled(
                  models.get(i).peer(),
                  versionOf(state, models.get(i).peer()),
                  guarded.sketches().get(i))));
    }
    return effects;
  }

  private static long versionOf(KinState state, PeerId peer) {
    return state.pull().answers().stream()
        .filter(each -> each.from().equals(peer))
        .mapToLong(each -> each.reply().version())
        .findFirst()
        .orElse(0);
  }
}
