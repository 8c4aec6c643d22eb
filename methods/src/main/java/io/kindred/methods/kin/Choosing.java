package io.kindred.methods.kin;

import io.kindred.methods.kin.KinMessage.ModelReply;
import io.kindred.methods.kin.KinState.ChoiceState;
import io.kindred.methods.kin.KinState.KeptModel;
import io.kindred.methods.kin.KinState.KeptModels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Combines scores, chooses, and drops the models that the choice does not need. */
record Choosing(KinRound rules) {
  /** How many times the median number of held-out samples counts at most. */
  private static final double SAMPLE_CAP = 3;

  private static final int CHOICES_OF_CLASSIFICATION = 4;
  private static final int CHOICES_OF_REGRESSION = 3;

  private ChoiceSettings settings() {
    return rules.settings().choice();
  }

  private int choices() {
    return rules.classifies() ? CHOICES_OF_CLASSIFICATION : CHOICES_OF_REGRESSION;
  }

  KinState endOfRound(KinState state) {
    if (state.choice().choice().isPresent() || !rules.schedule().combinesScores(state.round())) {
      return state;
    }
    boolean chooses = rules.schedule().chooses(state.round());
    ChoiceState choice = state.choice();
    return switch (settings().by()) {
      case FIXED -> state;
      case OWN -> chooses ? chosen(state, choice.scores()) : state;
      case SHARED -> chooses ? chosen(state, decisive(state)) : combined(state);
    };
  }

  private KinState combined(KinState state) {
    return state.withChoice(
        ChoiceStateBuilder.from(state.choice())
            .combined(
                Scores.weightedMean(
                    all(state, state.choice().scores().map(Scores::centred), ModelReply::scores),
                    SAMPLE_CAP))
            .build());
  }

  /** The mean over two hops; a peer that was away in the round of the first hop has only one. */
  private Optional<Scores> decisive(KinState state) {
    return Scores.plainMean(all(state, state.choice().combined(), ModelReply::combinedScores))
        .or(() -> combined(state).choice().combined());
  }

  private List<Scores> all(
      KinState state, Optional<Scores> own, Function<ModelReply, Optional<Scores>> part) {
    List<Scores> all = new ArrayList<>(own.stream().toList());
    state.pull().answers().stream()
        .map(each -> part.apply(each.reply()))
        .flatMap(Optional::stream)
        .filter(each -> each.isUsable(choices()))
        .forEach(all::add);
    return all;
  }

  /** Without any score the ensemble is the choice that is nowhere far from the best. */
  private KinState chosen(KinState state, Optional<Scores> decisive) {
    Choice best = decisive.map(Scores::best).orElse(Choice.ENSEMBLE);
    Choice choice = isVetoed(state, best) ? Choice.ALONE : best;
    return withChoice(state, choice, decisive);
  }

  private boolean isVetoed(KinState state, Choice choice) {
    return settings().veto() > 0
        && settings().by() == ChoiceSettings.Decision.SHARED
        && state
            .choice()
            .scores()
            .map(own -> own.of(choice) - own.of(Choice.ALONE) > settings().veto())
            .orElse(false);
  }

  static KinState withChoice(KinState state, Choice choice, Optional<Scores> decisive) {
    KeptModels models = state.models();
    return state
        .withChoice(
            ChoiceStateBuilder.from(state.choice())
                .decisive(decisive)
                .choice(Optional.of(choice))
                .build())
        .withModels(
            KeptModelsBuilder.from(models)
                .shared(
                    choice.needsShared()
                        ? models.shared()
                        : KeptModel.of(state.trained().trained()))
                .personal(models.personal().filter(_ -> choice.needsPersonal()))
                .alone(models.alone().filter(_ -> choice.needsAlone()))
                .build());
  }
}
