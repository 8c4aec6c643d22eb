package io.kindred.methods.kin;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.methods.kin.GuardModels.GuardedModels;
import io.kindred.methods.kin.KinState.ChoiceState;
import io.kindred.methods.kin.KinState.KeptModel;
import io.kindred.methods.kin.KinState.KeptModels;
import io.kindred.methods.kin.KinState.PullReason;
import io.kindred.methods.kin.KinState.PullRound;
import io.kindred.methods.kin.KinState.Task;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rounds of a peer. A round is a chain of tasks of which one is computed at a time; models of other
 * peers are pulled while the personal and the lone model train.
 */
record KinMachine(KinSettings settings, PeerContext context, KinRound rules)
    implements Machine<KinState> {
  KinMachine(KinSettings settings, PeerContext context) {
    this(settings, context, new KinRound(settings, context));
  }

  private KinTraining training() {
    return rules.training();
  }

  private KinPull pulling() {
    return new KinPull(this);
  }

  PeerSearch search(KinState state) {
    return search(state.measuredCosines(settings.guardCosines()));
  }

  private PeerSearch search(List<Candidate> measured) {
    return new PeerSearch(
        settings.discovery(),
        context,
        Optional::empty,
        context.atMostOthers(settings.k()),
        settings.timeout(),
        settings.draw(measured));
  }

  @Override
  public KinState initial() {
    Weights start = rules.start();
    // A model that the prior does not fit is refused at the start, not in the first training.
    training().withPrior(start, 1);
    boolean fixed = settings.choice().by() == ChoiceSettings.Decision.FIXED;
    return new KinState(
        1,
        List.of(),
        search(List.of()).initial(),
        new KeptModels(KeptModel.of(start), Optional.empty(), Optional.of(KeptModel.of(start))),
        ChoiceState.of(fixed ? Optional.of(settings.choice().deploy()) : Optional.empty()),
        PullRound.NONE,
        List.of(),
        List.of(),
        List.of());
  }

  @Override
  public Step<KinState> step(KinState state, Event event) {
    return switch (event) {
      case Event.Started started -> pulling().join(state, started.neighbours(), started.tick());
      case Event.Restored restored -> restored(state, restored);
      case Event.Computed computed -> computed(state, computed);
      case Event.Received received -> pulling().received(state, received);
      case Event.SendFailed failed -> pulling().sendFailed(state, failed);
      case Event.TimerFired fired -> pulling().timerFired(state, fired);
      case Event.Notified notified ->
          pulling().notified(state, notified.message(), notified.tick());
      case Event.NeighboursChanged _, Event.LinkMeasured _, Event.LeaveRequested _ ->
          Step.of(state);
    };
  }

  /** Answers and results of the time before the restart will not arrive any more. */
  private Step<KinState> restored(KinState state, Event.Restored restored) {
    if (isDone(state)) {
      return Step.of(state);
    }
    // A peer that adopted a start and has not trained it yet has nothing of its own to mix. A peer
    // whose choice needs no shared model never trains one, and keeps its lone model.
    boolean neverTrained = state.trained().round() == 0 && state.choice().trainsShared();
    if (state.tasks().isEmpty() || neverTrained) {
      return pulling().join(initial(), restored.neighbours(), restored.tick());
    }
    if (state.isAt(Task.TRAIN_SHARED) || state.pull().reason() == PullReason.CATCH_UP) {
      return pulling().catchUp(state, restored.tick());
    }
    boolean pulls =
        state.tasks().contains(Task.GUARD) && !state.isAt(Task.DESCRIBE) && state.pull().waiting();
    return pulls ? pulling().searchAgain(state, restored.tick()) : perform(state, restored.tick());
  }

  boolean isDone(KinState state) {
    return state.round() > context.rounds();
  }

  /** Begins the round of the state: lists its tasks and performs the first one. */
  Step<KinState> beginRound(KinState state, long tick) {
    List<Task> tasks = rules.tasks(state);
    KinState next = state;
    if (rules.needsPersonal(state) && state.models().personal().isEmpty()) {
      // It begins as the shared model, so there is no way to move yet.
      tasks.remove(Task.MOVE_PERSONAL);
      next =
          state.withModels(
              KeptModelsBuilder.from(state.models())
                  .personal(Optional.of(KeptModel.of(state.models().shared().weights())))
                  .build());
    }
    return perform(
        next.withTasks(tasks)
            .withPull(PullRound.NONE)
            .withSearch(
                next.search().with(next.trained().beginningWith(next.models().shared().weights()))),
        tick);
  }

  /** Performs the first task that is left, or ends the round. */
  Step<KinState> perform(KinState state, long tick) {
    if (state.tasks().isEmpty()) {
      return endRound(state, tick);
    }
    KeptModels models = state.models();
    int round = state.round();
    return switch (state.tasks().getFirst()) {
      case SELECT_START, ADOPT -> compute(state, rules.comparePulled(state));
      case TRAIN_SHARED -> compute(state, training().trainShared(models.shared(), round));
      case DESCRIBE -> pulling().describe(state, tick);
      case MOVE_PERSONAL -> movePersonal(state, tick);
      case TRAIN_PERSONAL ->
          compute(state, training().trainPersonal(models.personal().orElseThrow(), round));
      case TRAIN_ALONE ->
          compute(state, training().trainAlone(models.alone().orElseThrow(), round));
      case GUARD -> guard(state, tick);
      case MIX -> compute(state, rules.mix(state)).precededBy(Explanation.mixture(state));
      case FINISH -> compute(state, new Ticket.Call(rules.finish(state)));
      case SCORE -> compute(state, rules.score(state));
    };
  }

  static Step<KinState> compute(KinState state, Ticket ticket) {
    return Step.of(state, new Effect.Compute(state.round(), ticket));
  }

  private Step<KinState> movePersonal(KinState state, long tick) {
    return settings.personal().pull() == 0
        ? perform(state.taskDone(), tick)
        : compute(state, rules.movePersonal(state));
  }

  private Step<KinState> guard(KinState state, long tick) {
    if (state.pull().waiting()) {
      return Step.of(state);
    }
    List<GuardModels.PulledModel> models = rules.pulled(state);
    if (models.isEmpty()) {
      return perform(KinRound.unmixed(state), tick);
    }
    return compute(state, rules.guard(state, models));
  }

  private Step<KinState> computed(KinState state, Event.Computed computed) {
    if (computed.ticket() != state.round() || state.tasks().isEmpty()) {
      return Step.of(state);
    }
    Task task = state.tasks().getFirst();
    long tick = computed.tick();
    return switch (computed.result()) {
      case Result.Trained trained -> trained(state, task, trained, tick);
      case Result result when task == Task.DESCRIBE -> pulling().described(state, result, tick);
      case Result.Mixed mixed when task == Task.MOVE_PERSONAL ->
          perform(personalMoved(state, mixed.weights()).taskDone(), tick);
      case Result.Mixed mixed when task == Task.MIX -> mixed(state, mixed.weights(), tick);
      case Result.Answered(GuardedModels guarded) when task == Task.GUARD ->
          guarded(state, guarded, tick);
      case Result.Answered(FinishRound.FinishedRound finished) when task == Task.FINISH ->
          perform(rules.finished(state, finished).taskDone(), tick);
      case Result.Losses losses when task == Task.SCORE -> scored(state, losses, tick);
      case Result.Losses losses when task == Task.SELECT_START ->
          new CatchUp(this).startSelected(state, losses.perMixture(), tick);
      case Result.Losses losses when task == Task.ADOPT ->
          perform(rules.adopted(state, losses.perMixture()), tick);
      case Result.Mixed _, Result.Answered _, Result.Losses _, Result.Outputs _ -> Step.of(state);
    };
  }

  private Step<KinState> trained(KinState state, Task task, Result.Trained trained, long tick) {
    Weights weights = training().withPrior(trained.weights(), -1);
    KeptModels models = state.models();
    return switch (task) {
      case TRAIN_SHARED -> sharedTrained(state, weights, trained.velocity(), tick);
      case TRAIN_PERSONAL ->
          perform(
              state
                  .withModels(
                      KeptModelsBuilder.from(models)
                          .personal(retrained(models.personal(), weights, trained))
                          .build())
                  .taskDone(),
              tick);
      case TRAIN_ALONE ->
          perform(
              state
                  .withModels(
                      KeptModelsBuilder.from(models)
                          .alone(retrained(models.alone(), weights, trained))
                          .build())
                  .taskDone(),
              tick);
      default -> Step.of(state);
    };
  }

  private static Optional<KeptModel> retrained(
      Optional<KeptModel> model, Weights weights, Result.Trained trained) {
    return model.map(each -> each.trained(weights, trained.velocity()));
  }

  /** Answers requests that waited for this model. Its round goes on while the pull begins. */
  private Step<KinState> sharedTrained(
      KinState state, Weights weights, Optional<Weights> velocity, long tick) {
    KeptModel shared = state.models().shared();
    KinState next =
        state
            .withModels(
                KeptModelsBuilder.from(state.models())
                    .shared(shared.trained(shared.weights(), velocity))
                    .build())
            .withSearch(state.search().with(state.trained().trained(weights, state.round(), tick)))
            .taskDone();
    Step<KinState> answered = pulling().answerDeferred(next);
    return perform(answered.state(), tick)
        .precededBy(answered.effects())
        .precededBy(new Effect.Observe(Deployed.of(state.round(), Stage.TRAINED, weights)));
  }

  private Step<KinState> mixed(KinState state, Weights weights, long tick) {
    return state.pull().reason() == PullReason.ROUND
        ? perform(
            state
                .withPull(PullRoundBuilder.from(state.pull()).mixed(Optional.of(weights)).build())
                .taskDone(),
            tick)
        : new CatchUp(this).mixed(state, weights, tick);
  }

  private static KinState personalMoved(KinState state, Weights weights) {
    return state.withModels(
        KeptModelsBuilder.from(state.models())
            .personal(state.models().personal().map(each -> each.trained(weights, each.velocity())))
            .build());
  }

  private Step<KinState> guarded(KinState state, GuardedModels guarded, long tick) {
    KinState next =
        state
            .withPull(PullRoundBuilder.from(state.pull()).guarded(Optional.of(guarded)).build())
            .withCosines(guarded.contributions(), settings.guardCosines())
            .taskDone();
    return perform(next, tick).precededBy(pulling().checked(state, guarded));
  }

  private Step<KinState> scored(KinState state, Result.Losses losses, long tick) {
    KinState next = rules.scored(state, losses.perMixture());
    Step<KinState> step = perform(next.taskDone(), tick);
    return next.choice().scores().isPresent()
        ? step
        : step.precededBy(new Effect.Observe(new Observation.Counted("left-group")));
  }

  private Step<KinState> endRound(KinState state, long tick) {
    KinState chosen = new Choosing(rules).endOfRound(state);
    List<Effect> effects = new ArrayList<>(Explanation.of(chosen));
    effects.add(
        new Effect.Observe(
            new Deployed(
                state.round(), Stage.MIXED, rules.predictor(chosen), Observation.Audience.SELF)));
    Step<KinState> answered =
        chosen.choice().trainsShared() ? Step.of(chosen) : pulling().answerAll(chosen);
    effects.addAll(answered.effects());
    KinState next =
        KinStateBuilder.from(answered.state())
            .round(rules.nextRound(chosen))
            .pull(PullRound.NONE)
            .build();
    return (isDone(next) ? Step.of(next) : beginRound(next, tick)).precededBy(effects);
  }
}
