package io.kindred.methods.kin;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation.Measured;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.methods.kin.KinState.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a peer reports, so that its mixture and its choice can be understood. */
final class Explanation {
  private Explanation() {}

  static List<Effect> of(KinState state) {
    List<Effect> effects = new ArrayList<>();
    int round = state.round();
    state
        .pull()
        .guarded()
        .ifPresent(
            guarded -> {
              effects.add(
                  measured(
                      round,
                      "guardDropped",
                      count(guarded.contributions(), Contribution.Verdict.FAR)
                          + count(guarded.contributions(), Contribution.Verdict.OPPOSED)
                          + count(guarded.contributions(), Contribution.Verdict.INCOMPARABLE)));
              effects.add(
                  measured(
                      round,
                      "guardShortened",
                      count(guarded.contributions(), Contribution.Verdict.SHORTENED)));
              effects.add(measured(round, "ownWeight", guarded.ownWeight()));
            });
    state
        .choice()
        .scores()
        .ifPresent(
            scores -> {
              for (int i = 0; i < scores.values().size(); i++) {
                effects.add(measured(round, "score" + titleCase(i), scores.values().get(i)));
              }
            });
    state
        .choice()
        .decisive()
        .ifPresent(
            scores -> {
              for (int i = 0; i < scores.values().size(); i++) {
                effects.add(measured(round, "decisive" + titleCase(i), scores.values().get(i)));
              }
            });
    state
        .choice()
        .choice()
        .ifPresent(choice -> effects.add(measured(round, "choice", choice.number())));
    return effects;
  }

  /** Whose models a peer mixes; those that the guard dropped have weight zero. */
  static Effect mixture(KinState state) {
    GuardModels.GuardedModels guarded = state.pull().guarded().orElseThrow();
    return new Effect.Observe(
        new ModelsMixed(
            state.round(),
            0,
            Weighting.ESTIMATED,
            guarded.ownWeight(),
            guarded.contributions().stream().map(each -> mixed(state, each)).toList()));
  }

  private static MixedModel mixed(KinState state, Contribution contribution) {
    Answer answer =
        state.pull().answers().stream()
            .filter(each -> each.from().equals(contribution.peer()))
            .findFirst()
            .orElseThrow();
    return new MixedModel(
        contribution.peer(),
        answer.reply().round(),
        contribution.weight(),
        answer.reply().samples(),
        switch (contribution.verdict()) {
          case ACCEPTED -> MixedModel.Treatment.FULL;
          case SHORTENED -> MixedModel.Treatment.SHORTENED;
          case FAR, OPPOSED, INCOMPARABLE -> MixedModel.Treatment.DROPPED;
        });
  }

  private static String titleCase(int choice) {
    String name = Choice.ofNumber(choice).name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static int count(List<Contribution> all, Contribution.Verdict verdict) {
    return (int) all.stream().filter(each -> each.verdict() == verdict).count();
  }

  private static Effect measured(int round, String name, double value) {
    return new Effect.Observe(new Measured(round, name, value));
  }
}
