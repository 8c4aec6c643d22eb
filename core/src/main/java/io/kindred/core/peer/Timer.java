package io.kindred.core.peer;

/**
 * The name of a timer. Timers are never cancelled: a machine puts the round or the query into
 * {@code number} and ignores expiries that no longer matter.
 */
public record Timer(String name, long number) {}
