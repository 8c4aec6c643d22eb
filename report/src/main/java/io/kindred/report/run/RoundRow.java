package io.kindred.report.run;

/** One line of {@code rounds.csv}; NaN where the file says nothing. Bytes are totals so far. */
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
