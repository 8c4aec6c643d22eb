package io.kindred.core.peer;

/**
 * The machine of a peer's stack that an effect comes from or an event is for. The order is the
 * order of the stack, bottom first: an event for every machine (a start, a changed neighbourhood)
 * reaches the machines in this order. Append only: the wire format encodes the position.
 */
public enum Component {
  OVERLAY,
  METHOD,
  /**
   * Not a machine but the shell itself: it offers services that only a simulator has, such as an
   * exact search.
   */
  SHELL
}
