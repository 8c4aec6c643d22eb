package io.kindred.core.peer;

/**
 * What one peer says to another. Implementations are records annotated with {@link
 * io.kindred.core.config.Named}; weights inside travel by reference and are delivered with the
 * message or not at all.
 */
public interface Message {}
