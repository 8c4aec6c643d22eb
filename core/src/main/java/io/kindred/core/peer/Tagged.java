package io.kindred.core.peer;

/** An effect and the machine that requests it, or a message and the machine that it is for. */
public record Tagged<T>(Component component, T value) {}
