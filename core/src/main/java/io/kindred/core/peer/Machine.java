package io.kindred.core.peer;

/**
 * One machine of a peer: total, deterministic, without IO. Its whole state is in {@code S}, an
 * immutable record that the wire codec can write and read back, so a peer can be checkpointed
 * between any two events and resumed.
 */
public interface Machine<S> {
  /** The state before any event. */
  S initial();

  /** The same state and event always give the same step. */
  Step<S> step(S state, Event event);
}
