package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;

/** How the similarity of clients is measured for spectral clustering (sections 5.4.1 and 5.4.2). */
public record SpectralSettings(
    @Setting(
            doc = "kernel width of the similarity by times and features",
            fallback = "1.5",
            above = 0)
        double sigma,
    @Setting(
            doc = "kernel width of the similarity by times, for adapted-spectral",
            fallback = "1.5",
            above = 0)
        double sigmaTime,
    @Setting(
            doc = "kernel width of the dissimilarity by features, for adapted-spectral",
            fallback = "1",
            above = 0)
        double sigmaFeature,
    @Setting(
            doc = "seconds that count as one unit of time; 0 takes the mean over the clients",
            fallback = "0",
            min = 0)
        double unitSeconds) {}
