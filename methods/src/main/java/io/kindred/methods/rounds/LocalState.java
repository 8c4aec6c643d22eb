package io.kindred.methods.rounds;

/**
 * What a {@link RoundAlgorithm} keeps from one event to the next: a named record, because
 * checkpoints contain it.
 */
public interface LocalState {}
