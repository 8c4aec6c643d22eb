package io.kindred.methods.kin;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;

/** How a peer chooses the model that it deploys. */
@Buildable
public record ChoiceSettings(
    @Setting(
            doc =
                "what decides: `shared`, the held-out scores of the peer, of the peers that it"
                    + " pulls, and of theirs; `own`, its own scores; `fixed`, the setting `deploy`",
            fallback = "shared")
        Decision by,
    @Setting(
            doc =
                "what a peer deploys where `by` is `fixed`: `shared`, `personal`, `alone`, or"
                    + " `ensemble`, the mean of the outputs of the three",
            fallback = "ensemble")
        Choice deploy,
    @Setting(
            doc =
                "share of the training samples that is held out until the choice, at least four"
                    + " samples; none of fewer than twelve",
            fallback = "0.05",
            min = 0,
            max = 0.5)
        double heldOut,
    @Setting(
            doc = "share of the horizon after which the held-out samples are scored",
            fallback = "0.375",
            min = 0,
            max = 1)
        double scoresFrom,
    @Setting(doc = "rounds between two scores", fallback = "3", min = 1) int scoresEvery,
    @Setting(
            doc =
                "share of the horizon after which the peer decides, and trains on all its samples",
            fallback = "0.5",
            min = 0,
            max = 1)
        double at,
    @Setting(
            doc =
                "difference of the own held-out losses beyond which a peer deploys its lone model"
                    + " instead of the choice that scores of its peers favour; 0 turns off this"
                    + " veto",
            fallback = "0",
            min = 0)
        double veto,
    @Setting(
            doc =
                "difference of the own held-out losses of the shared and the lone model beyond"
                    + " which a peer leaves the peers that it mixes with: its shared model begins"
                    + " again as the lone one, finds others by it, and in the next round becomes"
                    + " the pulled model that suits the own samples best. Classifications only;"
                    + " 0 turns this off",
            fallback = "0.5",
            min = 0)
        double leave) {
  /** What decides. */
  public enum Decision {
    SHARED,
    OWN,
    FIXED
  }

  public ChoiceSettings {
    if (scoresFrom > at) {
      throw new SettingException(
          "choice.scoresFrom",
          "scores would begin after the choice, `at` " + at,
          "choose at most " + at);
    }
  }
}
