package io.kindred.core.peer;

/**
 * Which machine of a peer's stack an effect comes from or an event is meant for. The order is the
 * order of the stack, bottom first: what touches every machine (a start, a changed neighbourhood)
 * reaches them in this order. Append only: the position is what travels on the wire.
 */
public enum Component {
  MEMBERSHIP,
  OVERLAY,
  EXCHANGE,
  METHOD,
  /**
   * Not a machine but the shell itself: services that only a simulator can offer, such as an exact
   * search.
   */
  SHELL
}
