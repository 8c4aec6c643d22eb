package io.kindred.report.plot;

/**
 * A horizontal line across the whole chart, for a value that does not depend on the horizontal
 * axis.
 */
public record ReferenceLine(String name, SeriesStyle style, double y) {}
