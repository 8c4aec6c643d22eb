package io.kindred.core.peer;

/**
 * A message from one peer to another. Implementations are records annotated with {@link
 * io.kindred.core.config.Named}; weights inside travel by reference and are delivered with the
 * message or not at all.
 */
public interface Message {}
