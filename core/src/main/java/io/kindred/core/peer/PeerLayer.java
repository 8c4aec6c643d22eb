package io.kindred.core.peer;

/**
 * A machine at its place in the stack, with the type of its state so that a checkpoint can carry
 * it.
 */
public record PeerLayer<S>(Component component, Machine<S> machine, Class<S> stateType) {}
