package io.kindred.methods.rounds;

/**
 * What a recipe remembers from one event to the next: a named record, because checkpoints carry it.
 */
public interface LocalState {}
