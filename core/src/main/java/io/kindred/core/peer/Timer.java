package io.kindred.core.peer;

/**
 * The name of an alarm. Timers are never cancelled: a machine puts the round or the query into
 * {@code number} and ignores the ones that no longer matter.
 */
public record Timer(String name, long number) {}
