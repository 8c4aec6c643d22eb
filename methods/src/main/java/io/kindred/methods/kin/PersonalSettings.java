package io.kindred.methods.kin;

import io.kindred.core.config.Setting;

/** How the personal model follows the shared one. */
public record PersonalSettings(
    @Setting(
            doc =
                "share of the way to the shared model that the personal model moves before it"
                    + " trains; 0 leaves it alone",
            fallback = "0.2",
            min = 0,
            max = 1,
            tune = "0.05..0.6")
        double pull,
    @Setting(
            doc =
                "share of the horizon after which the personal model begins, as a copy of the"
                    + " shared one",
            fallback = "0.25",
            min = 0,
            max = 1)
        double from) {}
