package io.kindred.core.random;

/**
 * Names a stream within a run by purpose, peer and counter. The name of the method is never part of
 * the key.
 */
public record StreamKey(Purpose purpose, long peer, long counter) {}
