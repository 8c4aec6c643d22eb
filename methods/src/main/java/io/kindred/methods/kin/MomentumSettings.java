package io.kindred.methods.kin;

import io.kindred.core.config.Setting;

/** Which velocity the training of the shared model starts with. */
public record MomentumSettings(
    @Setting(
            doc =
                "velocity of the shared model at the begin of a round: `mixed`, the mean step of"
                    + " the mixed model; `own`, the velocity at the end of the last training;"
                    + " `reset`, zero. The personal and the lone model keep their own velocities,"
                    + " with `reset` they begin at zero as well",
            fallback = "mixed")
        Rule rule,
    @Setting(
            doc =
                "share of the horizon after which `mixed` applies; the own velocity is kept before."
                    + " Too early a begin merges groups of peers that conflict",
            fallback = "0.2",
            min = 0,
            max = 1)
        double from) {
  /** The rules. */
  public enum Rule {
    MIXED,
    OWN,
    RESET
  }
}
