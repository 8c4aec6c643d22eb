package io.kindred.methods.kin;

import io.kindred.core.config.Setting;

/** How a peer weighs the models that it pulled. */
public record MixSettings(
    @Setting(
            doc = "whether models count by the number of samples of their owners; false: all alike",
            fallback = "true")
        boolean sampleWeights,
    @Setting(
            doc =
                "largest number of samples that counts, as a multiple of the median of the pulled"
                    + " models; 0 is no limit. It bounds what a false count can gain",
            fallback = "3",
            min = 0)
        double sampleCap,
    @Setting(
            doc =
                "factor by which the weight of a model shrinks for each round since its owner last"
                    + " trained it; 1 ignores the age",
            fallback = "0.5",
            min = 0,
            max = 1)
        double ageFactor,
    @Setting(
            doc =
                "distance from the own model, as a multiple of the median of the pulled models,"
                    + " beyond which the guard shortens the step to a pulled model; 0 turns off"
                    + " this guard",
            fallback = "2",
            min = 0)
        double guardDistance,
    @Setting(
            doc =
                "distance from the own model, as a multiple of the median of the pulled models,"
                    + " beyond which the guard drops a pulled model; 0 drops none",
            fallback = "4",
            min = 0)
        double guardDrop,
    @Setting(
            doc =
                "whether the guard drops models whose change since the common start points away"
                    + " from the own change",
            fallback = "true")
        boolean guardDirection) {}
