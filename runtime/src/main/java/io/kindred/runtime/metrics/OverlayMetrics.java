package io.kindred.runtime.metrics;

import java.util.Optional;

/**
 * What came of searches for those most alike; depth and what follows it only where they went over
 * an overlay.
 *
 * @param recallAtK share of the K most alike peers by signature that were found, in the last round
 * @param recallAtKFull the same by whole vectors
 * @param depth levels of the overlay
 * @param zones of the lowest level
 * @param clusters of all levels
 */
public record OverlayMetrics(
    Optional<Double> recallAtK,
    Optional<Double> recallAtKFull,
    Optional<Integer> depth,
    Optional<Integer> zones,
    Optional<Integer> clusters,
    Optional<Double> messagesPerQuery,
    Optional<Double> bytesPerQuery) {}
