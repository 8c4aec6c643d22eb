package io.kindred.runtime.metrics;

import java.util.Optional;

/**
 * Metrics of the searches for the most similar peers. Depth, zones and clusters are present only
 * for searches over an overlay, messages and bytes also for views.
 *
 * @param recallAtK share of the K most similar peers that were found, in the last round; by
 *     signature, or by whole vectors where peers have no signatures
 * @param recallAtKFull the same share, with similarity by whole vectors
 * @param depth levels of the overlay
 * @param zones number of zones of the lowest level
 * @param clusters number of clusters of all levels
 */
public record OverlayMetrics(
    Optional<Double> recallAtK,
    Optional<Double> recallAtKFull,
    Optional<Integer> depth,
    Optional<Integer> zones,
    Optional<Integer> clusters,
    Optional<Double> messagesPerQuery,
    Optional<Double> bytesPerQuery) {}
