package io.kindred.report.run;

/** One line of {@code rounds.csv}; NaN for a missing value. Bytes are totals since the start. */
public record RoundRow(
    int round,
    Stage stage,
    double mean,
    double std,
    double p10,
    double best,
    double worst,
    double globalMean,
    double modelBytes,
    double controlBytes,
    double recallAtK,
    double virtualSeconds) {}
