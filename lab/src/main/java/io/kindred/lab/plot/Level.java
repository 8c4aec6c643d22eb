package io.kindred.lab.plot;

/** A horizontal line across the whole chart, for what does not depend on the horizontal axis. */
public record Level(String name, Look look, double y) {}
