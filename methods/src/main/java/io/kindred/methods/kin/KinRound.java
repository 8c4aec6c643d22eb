package io.kindred.methods.kin;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.kin.GuardModels.GuardedModels;
import io.kindred.methods.kin.KinState.Answer;
import io.kindred.methods.kin.KinState.ChoiceState;
import io.kindred.methods.kin.KinState.KeptModel;
import io.kindred.methods.kin.KinState.KeptModels;
import io.kindred.methods.kin.KinState.PullReason;
import io.kindred.methods.kin.KinState.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a round consists of: its tasks, their tickets, and the states that follow from their
 * results.
 */
record KinRound(KinSettings settings, PeerContext context, Schedule schedule) {
  KinRound(KinSettings settings, PeerContext context) {
    this(settings, context, Schedule.of(settings, context.rounds()));
  }

  KinTraining training() {
    return new KinTraining(settings, context, schedule);
  }

  /** The weights that all peers started from. */
  Weights start() {
    return context.initialWeights().apply(0);
  }

  /** Whether the task is a classification, whose losses are those of probabilities. */
  boolean classifies() {
    return context.labelCounts().size() > 1;
  }

  boolean needsPersonal(KinState state) {
    return state.round() >= schedule.personal()
        && state.choice().choice().map(Choice::needsPersonal).orElse(true);
  }

  List<Task> tasks(KinState state) {
    Optional<Choice> choice = state.choice().choice();
    boolean shares = state.choice().trainsShared();
    List<Task> tasks = new ArrayList<>();
    if (shares) {
      tasks.add(Task.TRAIN_SHARED);
      tasks.add(Task.DESCRIBE);
    }
    if (needsPersonal(state)) {
      tasks.add(Task.MOVE_PERSONAL);
      tasks.add(Task.TRAIN_PERSONAL);
    }
    if (choice.map(Choice::needsAlone).orElse(true)) {
      tasks.add(Task.TRAIN_ALONE);
    }
    if (shares) {
      tasks.add(Task.GUARD);
      if (state.choice().leaving()) {
        tasks.add(Task.ADOPT);
      }
      tasks.add(Task.MIX);
    }
    tasks.add(Task.FINISH);
    if (choice.isEmpty() && schedule.scoresIn(state.round()) && training().heldOut().isPresent()) {
      tasks.add(Task.SCORE);
    }
    return tasks;
  }

  /** Compares the pulled models on the own samples. */
  Ticket comparePulled(KinState state) {
    return new Ticket.Losses(
        pulled(state).stream().map(each -> single(each.weights())).toList(),
        DataView.own(DataView.Split.TRAIN),
        Ticket.Detail.MEAN);
  }

  /** The index of the least finite loss, or a negative number if none is finite. */
  static int least(List<Floats> losses) {
    int best = -1;
    for (int i = 0; i < losses.size(); i++) {
      float loss = losses.get(i).get(0);
      if (Float.isFinite(loss) && (best < 0 || loss < losses.get(best).get(0))) {
        best = i;
      }
    }
    return best;
  }

  /**
   * The pulled model that suits the own samples best is mixed alone, in place of all others.
   * Without a usable one nothing is mixed.
   */
  KinState adopted(KinState state, List<Floats> losses) {
    int best = least(losses);
    if (best < 0) {
      return unmixed(
          state.withPull(PullRoundBuilder.from(state.pull()).guarded(Optional.empty()).build()));
    }
    GuardedModels guarded = state.pull().guarded().orElseThrow();
    return state
        .withPull(
            PullRoundBuilder.from(state.pull())
                .guarded(Optional.of(guarded.adopting(best)))
                .build())
        .taskDone();
  }

  /** The own model goes on as it is. */
  static KinState unmixed(KinState state) {
    return state
        .withTasks(state.tasks().subList(state.tasks().indexOf(Task.MIX) + 1, state.tasks().size()))
        .withPull(PullRoundBuilder.from(state.pull()).mixed(Optional.of(ownModel(state))).build());
  }

  Ticket score(KinState state) {
    return new Ticket.Losses(
        averages(state.models()).map(each -> single(training().withPrior(each, 1))).toList(),
        training().heldOut().orElseThrow(),
        Ticket.Detail.PER_SAMPLE);
  }

  Ticket movePersonal(KinState state) {
    double share = settings.personal().pull();
    return new Ticket.Mix(
        new Mixture(
            List.of(
                new MixturePart(state.models().personal().orElseThrow().weights(), 1 - share),
                new MixturePart(state.models().shared().weights(), share))));
  }

  Ticket guard(KinState state, List<GuardModels.PulledModel> models) {
    return new Ticket.Call(
        new GuardModels(
            settings.mix(),
            start(),
            ownModel(state),
            context.samples(),
            models,
            settings.discovery().sketchingOfPulled()));
  }

  private static Mixture single(Weights weights) {
    return new Mixture(List.of(new MixturePart(weights, 1)));
  }

  /** The running averages of the shared, the personal and the lone model, as far as they exist. */
  private static Stream<Weights> averages(KeptModels models) {
    return Stream.of(Optional.of(models.shared()), models.personal(), models.alone())
        .flatMap(Optional::stream)
        .map(KeptModel::average)
        .flatMap(Optional::stream);
  }

  /** The models that can be mixed, in an order that does not depend on their arrival. */
  List<GuardModels.PulledModel> pulled(KinState state) {
    return state.pull().answers().stream()
        .filter(each -> each.reply().weights().isPresent())
        .filter(each -> each.reply().round() >= state.round() - settings.staleness())
        .sorted(Comparator.comparing(Answer::from))
        .map(
            each ->
                new GuardModels.PulledModel(
                    each.from(),
                    each.reply().weights().orElseThrow(),
                    each.reply().samples(),
                    Math.max(0, state.round() - each.reply().round())))
        .toList();
  }

  /** The own model that pulled models are mixed with: trained, or as it was before the absence. */
  private static Weights ownModel(KinState state) {
    return state.pull().reason() == PullReason.ROUND
        ? state.trained().trained()
        : state.models().shared().weights();
  }

  Ticket mix(KinState state) {
    GuardedModels guarded = state.pull().guarded().orElseThrow();
    List<GuardModels.PulledModel> models = pulled(state);
    List<MixturePart> parts = new ArrayList<>();
    if (guarded.ownWeight() > 0) {
      parts.add(new MixturePart(ownModel(state), guarded.ownWeight()));
    }
    for (Contribution each : guarded.contributions()) {
      if (each.weight() > 0) {
        parts.add(new MixturePart(weightsOf(each.peer(), models), each.weight()));
      }
    }
    return new Ticket.Mix(new Mixture(parts));
  }

  private static Weights weightsOf(PeerId peer, List<GuardModels.PulledModel> models) {
    return models.stream()
        .filter(each -> each.peer().equals(peer))
        .findFirst()
        .orElseThrow()
        .weights();
  }

  FinishRound finish(KinState state) {
    KeptModels models = state.models();
    List<FinishRound.Averaging> averages = new ArrayList<>();
    Optional<Weights> mixed = state.pull().mixed();
    mixed.ifPresent(weights -> averages.add(averaging(models.shared(), weights)));
    if (needsPersonal(state)) {
      models.personal().ifPresent(each -> averages.add(averaging(each, each.weights())));
    }
    models.alone().ifPresent(each -> averages.add(averaging(each, each.weights())));
    return new FinishRound(
        mixed
            .filter(_ -> !adopts(state) && training().mixesVelocity(state.round()))
            .map(
                weights ->
                    new FinishRound.MeanStep(
                        models.shared().weights(), weights, meanStepScale(state))),
        averages);
  }

  private FinishRound.Averaging averaging(KeptModel model, Weights newest) {
    return new FinishRound.Averaging(
        model.average(), newest, FinishRound.keep(settings.average(), model.rounds()));
  }

  /** The learning rate times the mean number of steps behind the mixed model. */
  private double meanStepScale(KinState state) {
    KinTraining training = training();
    double steps = training.stepsPerEpoch(context.samples());
    Optional<GuardedModels> guarded = state.pull().guarded();
    if (guarded.isPresent()) {
      steps *= guarded.get().ownWeight();
      for (int i = 0; i < guarded.get().contributions().size(); i++) {
        steps +=
            guarded.get().contributions().get(i).weight()
                * training.stepsPerEpoch(guarded.get().cappedSamples().get(i));
      }
    }
    return context.training().optimizerAt(state.round()).learningRate()
        * context.training().epochs()
        * steps;
  }

  KinState finished(KinState state, FinishRound.FinishedRound finished) {
    KeptModels models = state.models();
    List<Weights> averages = new ArrayList<>(finished.averages());
    KeptModelsBuilder next = KeptModelsBuilder.from(models);
    state
        .pull()
        .mixed()
        .ifPresent(
            mixed ->
                next.shared(
                    models
                        .shared()
                        .trained(mixed, velocity(state, finished))
                        .averaged(averages.removeFirst())));
    if (needsPersonal(state)) {
      next.personal(models.personal().map(each -> each.averaged(averages.removeFirst())));
    }
    next.alone(models.alone().map(each -> each.averaged(averages.removeFirst())));
    ChoiceState choice =
        adopts(state)
            ? ChoiceStateBuilder.from(state.choice()).leaving(false).build()
            : state.choice();
    return state.withModels(next.build()).withChoice(choice);
  }

  /** Whether the shared model of this round is that of another peer. */
  private static boolean adopts(KinState state) {
    return state.choice().leaving() && state.pull().guarded().isPresent();
  }

  /** A velocity belongs to the model that had it, and the step to an adopted model is no mean. */
  private static Optional<Weights> velocity(KinState state, FinishRound.FinishedRound finished) {
    return adopts(state)
        ? Optional.empty()
        : finished.velocity().or(state.models().shared()::velocity);
  }

  KinState scored(KinState state, List<Floats> losses) {
    Scores newest = classifies() ? Scores.ofProbabilities(losses) : Scores.ofErrors(losses);
    ChoiceState choice = state.choice();
    Scores scores = choice.scores().map(each -> each.followedBy(newest)).orElse(newest);
    return leaves(scores)
        ? withSharedFromAlone(state)
        : state.withChoice(ChoiceStateBuilder.from(choice).scores(Optional.of(scores)).build());
  }

  /**
   * Whether the peers that this peer mixes with learn something else. It cannot tell by sketches: a
   * shared model resembles those that it was mixed with, whoever they are. Errors of a regression
   * have no scale on which a difference would be large.
   */
  private boolean leaves(Scores scores) {
    return settings.choice().leave() > 0
        && classifies()
        && scores.of(Choice.SHARED) - scores.of(Choice.ALONE) > settings.choice().leave();
  }

  /** The scores of the models before do not count for the new one. */
  private static KinState withSharedFromAlone(KinState state) {
    KeptModel alone = state.models().alone().orElseThrow();
    return state
        .withModels(
            KeptModelsBuilder.from(state.models())
                .shared(KeptModel.of(alone.weights()).trained(alone.weights(), alone.velocity()))
                .build())
        .withChoice(
            ChoiceStateBuilder.from(state.choice()).scores(Optional.empty()).leaving(true).build());
  }

  /**
   * The following round, or a later one that half of the pulled models have reached, so that a slow
   * peer catches up.
   */
  int nextRound(KinState state) {
    return state.round() == context.rounds()
        ? state.round() + 1
        : Math.min(
            context.rounds(), Math.max(state.round() + 1, state.roundOfOthers(context.rounds())));
  }

  /** What the peer deploys: its choice; before it, the ensemble of all models that it has. */
  Predictor predictor(KinState state) {
    KeptModels models = state.models();
    Optional<Weights> chosen =
        switch (state.choice().choice().orElse(Choice.ENSEMBLE)) {
          case SHARED -> models.shared().average();
          case PERSONAL -> models.personal().flatMap(KeptModel::average);
          case ALONE -> models.alone().flatMap(KeptModel::average);
          case ENSEMBLE -> Optional.empty();
        };
    if (chosen.isPresent()) {
      return new Predictor.Single(training().withPrior(chosen.get(), 1));
    }
    List<Weights> members = averages(models).map(each -> training().withPrior(each, 1)).toList();
    return members.size() == 1
        ? new Predictor.Single(members.getFirst())
        : new Predictor.Ensemble(
            new Mixture(
                members.stream()
                    .map(each -> new MixturePart(each, 1.0 / members.size()))
                    .toList()));
  }
}
