package io.kindred.runtime.metrics;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of metrics.jsonl: one peer's model in one round and stage. Bytes and pulled models are
 * totals so far; what does not apply is absent.
 */
public record MetricLine(
    int round,
    long peer,
    String stage,
    @Nullable Double loss,
    @Nullable Double accuracy,
    int samples,
    @Nullable Double globalAccuracy,
    long pulled,
    long sentBytes,
    long receivedBytes,
    double virtualSeconds,
    SortedMap<String, Double> extra) {}
