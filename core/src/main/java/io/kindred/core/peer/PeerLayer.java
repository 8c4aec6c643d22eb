package io.kindred.core.peer;

/** A machine and its position in the stack, with the type of its state for checkpoints. */
public record PeerLayer<S>(Component component, Machine<S> machine, Class<S> stateType) {}
