package io.kindred.core.random;

/**
 * Names a stream within a run: what for, whose, and the how-manieth. The method's name never
 * enters.
 */
public record StreamKey(Purpose purpose, long peer, long counter) {}
