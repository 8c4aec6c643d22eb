package io.kindred.core.peer;

import io.kindred.core.Component;

/**
 * A machine at its place in the stack, with the type of its state so that a checkpoint can carry
 * it.
 */
public record Layer<S>(Component component, Machine<S> machine, Class<S> stateType) {}
